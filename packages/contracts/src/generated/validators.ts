/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
// @ts-nocheck
import type * as Types from "./types.ts";
import type { Validator } from "../validator.ts";

function ucs2length(text) {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) (length--, i++);
  return length;
}

export const isCorrelationId: Validator<Types.CorrelationId> = validate21 as never;
const schema32 = {"title":"CorrelationId","description":"Follows one Slack message through both zones, their logs, the bus and every agent. Printable ASCII, no spaces.","type":"string","pattern":"^[!-~]{1,128}$"};
const pattern4 = new RegExp("^[!-~]{1,128}$", "u");

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern4.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isTaskId: Validator<Types.TaskId> = validate22 as never;
const schema33 = {"title":"TaskId","description":"Names a task of the execution zone. Made by execution, not guessable.","type":"string","minLength":1,"maxLength":128};
const func1 = ucs2length;

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 128){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(func1(data) < 1){
const err1 = {instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isRequestId: Validator<Types.RequestId> = validate23 as never;
const schema34 = {"title":"RequestId","description":"The JSON-RPC id of a zone request: a UUID made by verification. It is the idempotency key too: the same caller sending it again gets the same task.","type":"string","format":"uuid"};
const formats0 = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!(formats0.test(data))){
const err0 = {instancePath,schemaPath:"#/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isErrorKind: Validator<Types.ErrorKind> = validate24 as never;
const schema35 = {"title":"ErrorKind","description":"What went wrong, by name. Each kind has one row in the error catalogue (errors.json).","enum":["parse_error","invalid_request","method_not_found","invalid_params","internal","timeout","task_not_found","unknown_agent","invalid_state_transition","agent_unavailable","agent_failed","agent_invalid_response","rate_limited","unauthorized","payload_too_large","canceled","shutting_down"]};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((((((((((((((data === "parse_error") || (data === "invalid_request")) || (data === "method_not_found")) || (data === "invalid_params")) || (data === "internal")) || (data === "timeout")) || (data === "task_not_found")) || (data === "unknown_agent")) || (data === "invalid_state_transition")) || (data === "agent_unavailable")) || (data === "agent_failed")) || (data === "agent_invalid_response")) || (data === "rate_limited")) || (data === "unauthorized")) || (data === "payload_too_large")) || (data === "canceled")) || (data === "shutting_down"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema35.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isTaskState: Validator<Types.TaskState> = validate25 as never;
const schema36 = {"title":"TaskState","description":"Where a task stands in the execution zone. submitted and working are open; the others are final.","enum":["submitted","working","success","error","canceled","timed_out"],"x-enum-descriptions":{"submitted":"Stored, not started. Asking for its result answers `working`.","working":"An agent works on it. Asking for its result answers `working`.","success":"Final: the agent answered. The result has `status` `success`.","error":"Final: it failed. Asking for its result answers the error it ended with.","canceled":"Final: stopped by `cancel_task`. Asking for its result answers the error `canceled`.","timed_out":"Final: it passed its deadline. Asking for its result answers the error `timeout`."}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((((data === "submitted") || (data === "working")) || (data === "success")) || (data === "error")) || (data === "canceled")) || (data === "timed_out"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema36.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcError: Validator<Types.JsonRpcError> = validate26 as never;
const schema37 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/error.schema.json","title":"JsonRpcError","description":"An error object. JSON-RPC 2.0, section 5.1.","type":"object","required":["code","message"],"properties":{"code":{"type":"integer"},"message":{"type":"string"},"data":{}},"additionalProperties":false};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/error.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.message === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const errorsBefore6 = errors;
for(const key0 in data){
if(errors - errorsBefore6 >= 20) break;
if(!(((key0 === "code") || (key0 === "message")) || (key0 === "data"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err3 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.message !== undefined){
if(typeof data.message !== "string"){
const err4 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcId: Validator<Types.JsonRpcId> = validate27 as never;
const schema38 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/id.schema.json","title":"JsonRpcId","description":"Links a response to its request. JSON-RPC 2.0, section 4.","type":["string","number","null"]};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/id.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(((typeof data !== "string") && (!((typeof data == "number") && (isFinite(data))))) && (data !== null)){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema38.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcRequest: Validator<Types.JsonRpcRequest> = validate28 as never;
const schema39 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/request.schema.json","title":"JsonRpcRequest","description":"A request object; without `id` it is a notification. JSON-RPC 2.0, section 4.","type":"object","required":["jsonrpc","method"],"properties":{"jsonrpc":{"const":"2.0"},"method":{"type":"string","description":"Names that begin with `rpc.` are reserved by the specification."},"params":{"type":["object","array"]},"id":{"$ref":"id.schema.json"}}};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.jsonrpc === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "jsonrpc"},message:"must have required property '"+"jsonrpc"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.method === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"},message:"must have required property '"+"method"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.jsonrpc !== undefined){
if("2.0" !== data.jsonrpc){
const err2 = {instancePath:instancePath+"/jsonrpc",schemaPath:"#/properties/jsonrpc/const",keyword:"const",params:{allowedValue: "2.0"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.method !== undefined){
if(typeof data.method !== "string"){
const err3 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.params !== undefined){
let data2 = data.params;
if(!data2 || typeof data2 != "object"){
const err4 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: schema39.properties.params.type},message:"must be object,array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
let data3 = data.id;
if(((typeof data3 !== "string") && (!((typeof data3 == "number") && (isFinite(data3))))) && (data3 !== null)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"id.schema.json/type",keyword:"type",params:{type: schema38.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"props":{"jsonrpc":true,"method":true,"params":true,"id":true},"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcResponse: Validator<Types.JsonRpcResponse> = validate29 as never;
const schema41 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/response.schema.json","title":"JsonRpcResponse","description":"A response object: exactly one of result and error. JSON-RPC 2.0, section 5.","oneOf":[{"title":"JsonRpcSuccess","type":"object","required":["jsonrpc","result","id"],"properties":{"jsonrpc":{"const":"2.0"},"result":{},"id":{"$ref":"id.schema.json"}},"additionalProperties":false},{"title":"JsonRpcFailure","type":"object","required":["jsonrpc","error","id"],"properties":{"jsonrpc":{"const":"2.0"},"error":{"$ref":"error.schema.json"},"id":{"$ref":"id.schema.json"}},"additionalProperties":false}]};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/response.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.jsonrpc === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "jsonrpc"},message:"must have required property '"+"jsonrpc"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.result === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "result"},message:"must have required property '"+"result"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.id === undefined){
const err2 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const errorsBefore7 = errors;
for(const key0 in data){
if(errors - errorsBefore7 >= 20) break;
if(!(((key0 === "jsonrpc") || (key0 === "result")) || (key0 === "id"))){
const err3 = {instancePath,schemaPath:"#/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.jsonrpc !== undefined){
if("2.0" !== data.jsonrpc){
const err4 = {instancePath:instancePath+"/jsonrpc",schemaPath:"#/oneOf/0/properties/jsonrpc/const",keyword:"const",params:{allowedValue: "2.0"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(((typeof data1 !== "string") && (!((typeof data1 == "number") && (isFinite(data1))))) && (data1 !== null)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"id.schema.json/type",keyword:"type",params:{type: schema38.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/oneOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.jsonrpc === undefined){
const err7 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "jsonrpc"},message:"must have required property '"+"jsonrpc"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.error === undefined){
const err8 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "error"},message:"must have required property '"+"error"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.id === undefined){
const err9 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
const errorsBefore8 = errors;
for(const key1 in data){
if(errors - errorsBefore8 >= 20) break;
if(!(((key1 === "jsonrpc") || (key1 === "error")) || (key1 === "id"))){
const err10 = {instancePath,schemaPath:"#/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.jsonrpc !== undefined){
if("2.0" !== data.jsonrpc){
const err11 = {instancePath:instancePath+"/jsonrpc",schemaPath:"#/oneOf/1/properties/jsonrpc/const",keyword:"const",params:{allowedValue: "2.0"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.error !== undefined){
let data3 = data.error;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.code === undefined){
const err12 = {instancePath:instancePath+"/error",schemaPath:"error.schema.json/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data3.message === undefined){
const err13 = {instancePath:instancePath+"/error",schemaPath:"error.schema.json/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const errorsBefore9 = errors;
for(const key2 in data3){
if(errors - errorsBefore9 >= 20) break;
if(!(((key2 === "code") || (key2 === "message")) || (key2 === "data"))){
const err14 = {instancePath:instancePath+"/error",schemaPath:"error.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data3.code !== undefined){
let data4 = data3.code;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err15 = {instancePath:instancePath+"/error/code",schemaPath:"error.schema.json/properties/code/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data3.message !== undefined){
if(typeof data3.message !== "string"){
const err16 = {instancePath:instancePath+"/error/message",schemaPath:"error.schema.json/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/error",schemaPath:"error.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.id !== undefined){
let data6 = data.id;
if(((typeof data6 !== "string") && (!((typeof data6 == "number") && (isFinite(data6))))) && (data6 !== null)){
const err18 = {instancePath:instancePath+"/id",schemaPath:"id.schema.json/type",keyword:"type",params:{type: schema38.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath,schemaPath:"#/oneOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var _valid0 = _errs8 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
}
if(!valid0){
const err20 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate29.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate29.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isZoneErrorData: Validator<Types.ZoneErrorData> = validate30 as never;
const schema45 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/zone-error-data.schema.json","title":"ZoneErrorData","description":"The `data` of every error on the zone link. Clients decide by `kind` and `retryable`, never by `message`.","type":"object","required":["kind","retryable","correlation_id"],"properties":{"kind":{"$ref":"../common.schema.json#/$defs/ErrorKind"},"retryable":{"type":"boolean"},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"retry_after_ms":{"type":"integer","minimum":0,"description":"How long to wait before the next try, milliseconds."},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"agent":{"type":"string"},"problems":{"type":"array","description":"What is wrong: with invalid_params, each at a JSON pointer into `params`; with what is no request at all, one sentence at the pointer of the whole.","items":{"title":"ParamProblem","type":"object","required":["pointer","message"],"properties":{"pointer":{"type":"string","description":"RFC 6901 pointer, e.g. /channel."},"message":{"type":"string"}},"additionalProperties":false}}}};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/zone-error-data.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.retryable === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "retryable"},message:"must have required property '"+"retryable"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.correlation_id === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.kind !== undefined){
let data0 = data.kind;
if(!(((((((((((((((((data0 === "parse_error") || (data0 === "invalid_request")) || (data0 === "method_not_found")) || (data0 === "invalid_params")) || (data0 === "internal")) || (data0 === "timeout")) || (data0 === "task_not_found")) || (data0 === "unknown_agent")) || (data0 === "invalid_state_transition")) || (data0 === "agent_unavailable")) || (data0 === "agent_failed")) || (data0 === "agent_invalid_response")) || (data0 === "rate_limited")) || (data0 === "unauthorized")) || (data0 === "payload_too_large")) || (data0 === "canceled")) || (data0 === "shutting_down"))){
const err3 = {instancePath:instancePath+"/kind",schemaPath:"../common.schema.json#/$defs/ErrorKind/enum",keyword:"enum",params:{allowedValues: schema35.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.retryable !== undefined){
if(typeof data.retryable !== "boolean"){
const err4 = {instancePath:instancePath+"/retryable",schemaPath:"#/properties/retryable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data2 = data.correlation_id;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err5 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.retry_after_ms !== undefined){
let data3 = data.retry_after_ms;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err7 = {instancePath:instancePath+"/retry_after_ms",schemaPath:"#/properties/retry_after_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/retry_after_ms",schemaPath:"#/properties/retry_after_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.task_id !== undefined){
let data4 = data.task_id;
if(typeof data4 === "string"){
if(func1(data4) > 128){
const err9 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func1(data4) < 1){
const err10 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.agent !== undefined){
if(typeof data.agent !== "string"){
const err12 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.problems !== undefined){
let data6 = data.problems;
if(Array.isArray(data6)){
const len0 = data6.length;
const errorsBefore0 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore0 < 20; i0++){
let data7 = data6[i0];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.pointer === undefined){
const err13 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"#/properties/problems/items/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data7.message === undefined){
const err14 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"#/properties/problems/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const errorsBefore10 = errors;
for(const key0 in data7){
if(errors - errorsBefore10 >= 20) break;
if(!((key0 === "pointer") || (key0 === "message"))){
const err15 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"#/properties/problems/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data7.pointer !== undefined){
if(typeof data7.pointer !== "string"){
const err16 = {instancePath:instancePath+"/problems/" + i0+"/pointer",schemaPath:"#/properties/problems/items/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data7.message !== undefined){
if(typeof data7.message !== "string"){
const err17 = {instancePath:instancePath+"/problems/" + i0+"/message",schemaPath:"#/properties/problems/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"#/properties/problems/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/problems",schemaPath:"#/properties/problems/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":{"kind":true,"retryable":true,"correlation_id":true,"retry_after_ms":true,"task_id":true,"agent":true,"problems":true},"dynamicProps":false,"dynamicItems":false};

export const isZoneRequest: Validator<Types.ZoneRequest> = validate31 as never;
const schema49 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/zone-request.schema.json","title":"ZoneRequest","description":"What verification sends to execution: one request, params by name, a UUID as id. Never a batch, never a notification.","type":"object","required":["jsonrpc","method","params","id"],"properties":{"jsonrpc":{"const":"2.0"},"method":{"enum":["execute_task","get_async_task_result","cancel_task","list_agents"]},"params":{"type":"object"},"id":{"$ref":"../common.schema.json#/$defs/RequestId"}},"additionalProperties":false};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/zone-request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.jsonrpc === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "jsonrpc"},message:"must have required property '"+"jsonrpc"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.method === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"},message:"must have required property '"+"method"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.params === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "params"},message:"must have required property '"+"params"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.id === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore11 = errors;
for(const key0 in data){
if(errors - errorsBefore11 >= 20) break;
if(!((((key0 === "jsonrpc") || (key0 === "method")) || (key0 === "params")) || (key0 === "id"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.jsonrpc !== undefined){
if("2.0" !== data.jsonrpc){
const err5 = {instancePath:instancePath+"/jsonrpc",schemaPath:"#/properties/jsonrpc/const",keyword:"const",params:{allowedValue: "2.0"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.method !== undefined){
let data1 = data.method;
if(!((((data1 === "execute_task") || (data1 === "get_async_task_result")) || (data1 === "cancel_task")) || (data1 === "list_agents"))){
const err6 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/enum",keyword:"enum",params:{allowedValues: schema49.properties.method.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.params !== undefined){
let data2 = data.params;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err7 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.id !== undefined){
let data3 = data.id;
if(typeof data3 === "string"){
if(!(formats0.test(data3))){
const err8 = {instancePath:instancePath+"/id",schemaPath:"../common.schema.json#/$defs/RequestId/format",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/id",schemaPath:"../common.schema.json#/$defs/RequestId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAttachment: Validator<Types.Attachment> = validate32 as never;
const schema51 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/attachment.schema.json","title":"Attachment","description":"A file that came with the message. Described, not carried: contents are fetched through verification.","type":"object","properties":{"id":{"type":"string","description":"Slack's file id."},"name":{"type":"string"},"mime_type":{"type":"string"},"size":{"type":"integer","minimum":0,"description":"Bytes."},"url":{"type":"string","description":"Where the contents can be fetched."},"text":{"type":"string","description":"The contents, when they are text that the sender chose to carry."}}};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/attachment.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id !== undefined){
if(typeof data.id !== "string"){
const err0 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err1 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.mime_type !== undefined){
if(typeof data.mime_type !== "string"){
const err2 = {instancePath:instancePath+"/mime_type",schemaPath:"#/properties/mime_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.size !== undefined){
let data3 = data.size;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err3 = {instancePath:instancePath+"/size",schemaPath:"#/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err4 = {instancePath:instancePath+"/size",schemaPath:"#/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
if(data.url !== undefined){
if(typeof data.url !== "string"){
const err5 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.text !== undefined){
if(typeof data.text !== "string"){
const err6 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"props":{"id":true,"name":true,"mime_type":true,"size":true,"url":true,"text":true},"dynamicProps":false,"dynamicItems":false};

export const isCancelTaskParams: Validator<Types.CancelTaskParams> = validate33 as never;
const schema52 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/cancel-task-params.schema.json","title":"CancelTaskParams","type":"object","required":["task_id"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"}}};

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/cancel-task-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate33.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.task_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task_id"},message:"must have required property '"+"task_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.task_id !== undefined){
let data0 = data.task_id;
if(typeof data0 === "string"){
if(func1(data0) > 128){
const err1 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(func1(data0) < 1){
const err2 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}
validate33.evaluated = {"props":{"task_id":true},"dynamicProps":false,"dynamicItems":false};

export const isCancelTaskResult: Validator<Types.CancelTaskResult> = validate34 as never;
const schema54 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/cancel-task-result.schema.json","title":"CancelTaskResult","type":"object","required":["task_id","status"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"status":{"const":"canceled"}}};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/cancel-task-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.task_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task_id"},message:"must have required property '"+"task_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.status === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.task_id !== undefined){
let data0 = data.task_id;
if(typeof data0 === "string"){
if(func1(data0) > 128){
const err2 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(func1(data0) < 1){
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.status !== undefined){
if("canceled" !== data.status){
const err5 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/const",keyword:"const",params:{allowedValue: "canceled"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":{"task_id":true,"status":true},"dynamicProps":false,"dynamicItems":false};

export const isExecuteTaskParams: Validator<Types.ExecuteTaskParams> = validate35 as never;
const schema56 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/execute-task-params.schema.json","title":"ExecuteTaskParams","description":"What a person asked in Slack, for `execute_task`. Members that are not named here are ignored.","type":"object","required":["channel","text","bot_token"],"properties":{"channel":{"type":"string","minLength":1,"description":"Slack channel id."},"text":{"type":"string","description":"The user's message. Empty when only files came."},"bot_token":{"type":"string","minLength":1,"x-secret":true,"description":"A random handle that is good for this task only. The real Slack token does not cross the wall."},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"thread_ts":{"type":"string","description":"Slack timestamp of the thread's root."},"attachments":{"type":"array","items":{"$ref":"attachment.schema.json"}},"team_id":{"type":"string","description":"Slack team id."},"user_id":{"type":"string","description":"Slack user id of the person who asked."},"agent":{"type":"string","minLength":1,"description":"Name of the agent that shall answer; the zone's default when absent."},"thread":{"type":"array","description":"Earlier messages of the thread, oldest first.","items":{"$ref":"thread-message.schema.json"}}}};
const schema59 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/thread-message.schema.json","title":"ThreadMessage","description":"An earlier message of the same Slack thread.","type":"object","required":["text"],"properties":{"text":{"type":"string"},"user":{"type":"string","description":"Slack user id of the author."},"ts":{"type":"string","description":"Slack timestamp."},"bot":{"type":"boolean","description":"True when this app wrote it."}}};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/execute-task-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.channel === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "channel"},message:"must have required property '"+"channel"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.text === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.bot_token === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "bot_token"},message:"must have required property '"+"bot_token"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.channel !== undefined){
let data0 = data.channel;
if(typeof data0 === "string"){
if(func1(data0) < 1){
const err3 = {instancePath:instancePath+"/channel",schemaPath:"#/properties/channel/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/channel",schemaPath:"#/properties/channel/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.text !== undefined){
if(typeof data.text !== "string"){
const err5 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.bot_token !== undefined){
let data2 = data.bot_token;
if(typeof data2 === "string"){
if(func1(data2) < 1){
const err6 = {instancePath:instancePath+"/bot_token",schemaPath:"#/properties/bot_token/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/bot_token",schemaPath:"#/properties/bot_token/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data3 = data.correlation_id;
if(typeof data3 === "string"){
if(!pattern4.test(data3)){
const err8 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.thread_ts !== undefined){
if(typeof data.thread_ts !== "string"){
const err10 = {instancePath:instancePath+"/thread_ts",schemaPath:"#/properties/thread_ts/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.attachments !== undefined){
let data5 = data.attachments;
if(Array.isArray(data5)){
const len0 = data5.length;
const errorsBefore1 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore1 < 20; i0++){
let data6 = data5[i0];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.id !== undefined){
if(typeof data6.id !== "string"){
const err11 = {instancePath:instancePath+"/attachments/" + i0+"/id",schemaPath:"attachment.schema.json/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data6.name !== undefined){
if(typeof data6.name !== "string"){
const err12 = {instancePath:instancePath+"/attachments/" + i0+"/name",schemaPath:"attachment.schema.json/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data6.mime_type !== undefined){
if(typeof data6.mime_type !== "string"){
const err13 = {instancePath:instancePath+"/attachments/" + i0+"/mime_type",schemaPath:"attachment.schema.json/properties/mime_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data6.size !== undefined){
let data10 = data6.size;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err14 = {instancePath:instancePath+"/attachments/" + i0+"/size",schemaPath:"attachment.schema.json/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
const err15 = {instancePath:instancePath+"/attachments/" + i0+"/size",schemaPath:"attachment.schema.json/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
if(data6.url !== undefined){
if(typeof data6.url !== "string"){
const err16 = {instancePath:instancePath+"/attachments/" + i0+"/url",schemaPath:"attachment.schema.json/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data6.text !== undefined){
if(typeof data6.text !== "string"){
const err17 = {instancePath:instancePath+"/attachments/" + i0+"/text",schemaPath:"attachment.schema.json/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/attachments/" + i0,schemaPath:"attachment.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/attachments",schemaPath:"#/properties/attachments/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.team_id !== undefined){
if(typeof data.team_id !== "string"){
const err20 = {instancePath:instancePath+"/team_id",schemaPath:"#/properties/team_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.user_id !== undefined){
if(typeof data.user_id !== "string"){
const err21 = {instancePath:instancePath+"/user_id",schemaPath:"#/properties/user_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.agent !== undefined){
let data15 = data.agent;
if(typeof data15 === "string"){
if(func1(data15) < 1){
const err22 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.thread !== undefined){
let data16 = data.thread;
if(Array.isArray(data16)){
const len1 = data16.length;
const errorsBefore2 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore2 < 20; i1++){
let data17 = data16[i1];
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if(data17.text === undefined){
const err24 = {instancePath:instancePath+"/thread/" + i1,schemaPath:"thread-message.schema.json/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data17.text !== undefined){
if(typeof data17.text !== "string"){
const err25 = {instancePath:instancePath+"/thread/" + i1+"/text",schemaPath:"thread-message.schema.json/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data17.user !== undefined){
if(typeof data17.user !== "string"){
const err26 = {instancePath:instancePath+"/thread/" + i1+"/user",schemaPath:"thread-message.schema.json/properties/user/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data17.ts !== undefined){
if(typeof data17.ts !== "string"){
const err27 = {instancePath:instancePath+"/thread/" + i1+"/ts",schemaPath:"thread-message.schema.json/properties/ts/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data17.bot !== undefined){
if(typeof data17.bot !== "boolean"){
const err28 = {instancePath:instancePath+"/thread/" + i1+"/bot",schemaPath:"thread-message.schema.json/properties/bot/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/thread/" + i1,schemaPath:"thread-message.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/thread",schemaPath:"#/properties/thread/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"props":{"channel":true,"text":true,"bot_token":true,"correlation_id":true,"thread_ts":true,"attachments":true,"team_id":true,"user_id":true,"agent":true,"thread":true},"dynamicProps":false,"dynamicItems":false};

export const isExecuteTaskResult: Validator<Types.ExecuteTaskResult> = validate36 as never;
const schema60 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/execute-task-result.schema.json","title":"ExecuteTaskResult","description":"The answer, or the word that the task was accepted and will be asked for. A failure is never a result: it is a JSON-RPC error.","oneOf":[{"$ref":"task-succeeded.schema.json"},{"$ref":"task-accepted.schema.json"}]};
const schema61 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-succeeded.schema.json","title":"TaskSucceeded","description":"A task's final answer. Further members are the agent's own and are preserved.","type":"object","required":["status","response_text"],"properties":{"status":{"const":"success"},"response_text":{"type":"string","description":"The answer for the thread, Markdown."},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"agent":{"type":"string","description":"Name of the agent that answered."}}};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-succeeded.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate37.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.response_text === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "response_text"},message:"must have required property '"+"response_text"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.status !== undefined){
if("success" !== data.status){
const err2 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/const",keyword:"const",params:{allowedValue: "success"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.response_text !== undefined){
if(typeof data.response_text !== "string"){
const err3 = {instancePath:instancePath+"/response_text",schemaPath:"#/properties/response_text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.task_id !== undefined){
let data2 = data.task_id;
if(typeof data2 === "string"){
if(func1(data2) > 128){
const err4 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func1(data2) < 1){
const err5 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.agent !== undefined){
if(typeof data.agent !== "string"){
const err7 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":{"status":true,"response_text":true,"task_id":true,"agent":true},"dynamicProps":false,"dynamicItems":false};

const schema63 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-accepted.schema.json","title":"TaskAccepted","description":"The task takes longer than the sync window: ask again with `get_async_task_result`.","type":"object","required":["status","task_id"],"properties":{"status":{"const":"accepted"},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"}}};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-accepted.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate39.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.task_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task_id"},message:"must have required property '"+"task_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.status !== undefined){
if("accepted" !== data.status){
const err2 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/const",keyword:"const",params:{allowedValue: "accepted"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.task_id !== undefined){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func1(data1) > 128){
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func1(data1) < 1){
const err4 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}
validate39.evaluated = {"props":{"status":true,"task_id":true},"dynamicProps":false,"dynamicItems":false};


function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/execute-task-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate37(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.status = true;
props0.response_text = true;
props0.task_id = true;
props0.agent = true;
}
const _errs2 = errors;
if(!(validate39(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.status = true;
props0.task_id = true;
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate36.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate36.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isGetAsyncTaskResultParams: Validator<Types.GetAsyncTaskResultParams> = validate41 as never;
const schema65 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/get-async-task-result-params.schema.json","title":"GetAsyncTaskResultParams","type":"object","required":["task_id"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"wait_ms":{"type":"integer","minimum":0,"maximum":60000,"description":"How long the answer may be held back while the task works, milliseconds. The server may hold it for less."}}};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/get-async-task-result-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate41.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.task_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task_id"},message:"must have required property '"+"task_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.task_id !== undefined){
let data0 = data.task_id;
if(typeof data0 === "string"){
if(func1(data0) > 128){
const err1 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(func1(data0) < 1){
const err2 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.wait_ms !== undefined){
let data1 = data.wait_ms;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err4 = {instancePath:instancePath+"/wait_ms",schemaPath:"#/properties/wait_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 60000 || isNaN(data1)){
const err5 = {instancePath:instancePath+"/wait_ms",schemaPath:"#/properties/wait_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1 < 0 || isNaN(data1)){
const err6 = {instancePath:instancePath+"/wait_ms",schemaPath:"#/properties/wait_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}
validate41.evaluated = {"props":{"task_id":true,"wait_ms":true},"dynamicProps":false,"dynamicItems":false};

export const isGetAsyncTaskResultResult: Validator<Types.GetAsyncTaskResultResult> = validate42 as never;
const schema67 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/get-async-task-result-result.schema.json","title":"GetAsyncTaskResultResult","description":"The final answer, or that the task still works. A failed task answers with its error.","oneOf":[{"$ref":"task-succeeded.schema.json"},{"$ref":"task-working.schema.json"}]};
const schema68 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-working.schema.json","title":"TaskWorking","description":"The task is not final yet.","type":"object","required":["status","task_id"],"properties":{"status":{"const":"working"},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"}}};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-working.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate44.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.task_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task_id"},message:"must have required property '"+"task_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.status !== undefined){
if("working" !== data.status){
const err2 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/const",keyword:"const",params:{allowedValue: "working"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.task_id !== undefined){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func1(data1) > 128){
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func1(data1) < 1){
const err4 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}
validate44.evaluated = {"props":{"status":true,"task_id":true},"dynamicProps":false,"dynamicItems":false};


function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/get-async-task-result-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate42.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate37(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.status = true;
props0.response_text = true;
props0.task_id = true;
props0.agent = true;
}
const _errs2 = errors;
if(!(validate44(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate44.errors : vErrors.concat(validate44.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.status = true;
props0.task_id = true;
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate42.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate42.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isListAgentsParams: Validator<Types.ListAgentsParams> = validate46 as never;
const schema70 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/list-agents-params.schema.json","title":"ListAgentsParams","description":"No members are known yet; all are ignored.","type":"object"};

function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/list-agents-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate46.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(data && typeof data == "object" && !Array.isArray(data))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate46.errors = vErrors;
return errors === 0;
}
validate46.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isListAgentsResult: Validator<Types.ListAgentsResult> = validate47 as never;
const schema71 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/list-agents-result.schema.json","title":"ListAgentsResult","type":"object","required":["agents"],"properties":{"agents":{"type":"array","items":{"title":"AgentSummary","description":"An agent that `execute_task` can be asked for by name.","type":"object","required":["name","description","default","skills"],"properties":{"name":{"type":"string"},"description":{"type":"string"},"default":{"type":"boolean","description":"Answers when no agent is named."},"skills":{"type":"array","items":{"title":"AgentSkill","type":"object","required":["id","name","description","examples"],"properties":{"id":{"type":"string"},"name":{"type":"string"},"description":{"type":"string"},"examples":{"type":"array","items":{"type":"string"}}}}}}}}}};

function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/list-agents-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate47.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agents === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agents"},message:"must have required property '"+"agents"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.agents !== undefined){
let data0 = data.agents;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore3 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore3 < 20; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name === undefined){
const err1 = {instancePath:instancePath+"/agents/" + i0,schemaPath:"#/properties/agents/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data1.description === undefined){
const err2 = {instancePath:instancePath+"/agents/" + i0,schemaPath:"#/properties/agents/items/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data1.default === undefined){
const err3 = {instancePath:instancePath+"/agents/" + i0,schemaPath:"#/properties/agents/items/required",keyword:"required",params:{missingProperty: "default"},message:"must have required property '"+"default"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.skills === undefined){
const err4 = {instancePath:instancePath+"/agents/" + i0,schemaPath:"#/properties/agents/items/required",keyword:"required",params:{missingProperty: "skills"},message:"must have required property '"+"skills"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.name !== undefined){
if(typeof data1.name !== "string"){
const err5 = {instancePath:instancePath+"/agents/" + i0+"/name",schemaPath:"#/properties/agents/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.description !== undefined){
if(typeof data1.description !== "string"){
const err6 = {instancePath:instancePath+"/agents/" + i0+"/description",schemaPath:"#/properties/agents/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data1.default !== undefined){
if(typeof data1.default !== "boolean"){
const err7 = {instancePath:instancePath+"/agents/" + i0+"/default",schemaPath:"#/properties/agents/items/properties/default/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.skills !== undefined){
let data5 = data1.skills;
if(Array.isArray(data5)){
const len1 = data5.length;
const errorsBefore4 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore4 < 20; i1++){
let data6 = data5[i1];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.id === undefined){
const err8 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data6.name === undefined){
const err9 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data6.description === undefined){
const err10 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data6.examples === undefined){
const err11 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "examples"},message:"must have required property '"+"examples"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data6.id !== undefined){
if(typeof data6.id !== "string"){
const err12 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/id",schemaPath:"#/properties/agents/items/properties/skills/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data6.name !== undefined){
if(typeof data6.name !== "string"){
const err13 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/name",schemaPath:"#/properties/agents/items/properties/skills/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data6.description !== undefined){
if(typeof data6.description !== "string"){
const err14 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/description",schemaPath:"#/properties/agents/items/properties/skills/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data6.examples !== undefined){
let data10 = data6.examples;
if(Array.isArray(data10)){
const len2 = data10.length;
const errorsBefore5 = errors;
for(let i2=0; i2<len2 && errors - errorsBefore5 < 20; i2++){
if(typeof data10[i2] !== "string"){
const err15 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/examples/" + i2,schemaPath:"#/properties/agents/items/properties/skills/items/properties/examples/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/examples",schemaPath:"#/properties/agents/items/properties/skills/items/properties/examples/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/agents/" + i0+"/skills",schemaPath:"#/properties/agents/items/properties/skills/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/agents/" + i0,schemaPath:"#/properties/agents/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate47.errors = vErrors;
return errors === 0;
}
validate47.evaluated = {"props":{"agents":true},"dynamicProps":false,"dynamicItems":false};

export const isTaskAccepted: Validator<Types.TaskAccepted> = validate39 as never;

export const isTaskSucceeded: Validator<Types.TaskSucceeded> = validate37 as never;

export const isTaskWorking: Validator<Types.TaskWorking> = validate44 as never;

export const isThreadMessage: Validator<Types.ThreadMessage> = validate48 as never;

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/thread-message.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate48.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.text === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.text !== undefined){
if(typeof data.text !== "string"){
const err1 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.user !== undefined){
if(typeof data.user !== "string"){
const err2 = {instancePath:instancePath+"/user",schemaPath:"#/properties/user/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.ts !== undefined){
if(typeof data.ts !== "string"){
const err3 = {instancePath:instancePath+"/ts",schemaPath:"#/properties/ts/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.bot !== undefined){
if(typeof data.bot !== "boolean"){
const err4 = {instancePath:instancePath+"/bot",schemaPath:"#/properties/bot/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate48.errors = vErrors;
return errors === 0;
}
validate48.evaluated = {"props":{"text":true,"user":true,"ts":true,"bot":true},"dynamicProps":false,"dynamicItems":false};
