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

export const isA2AAgentCard: Validator<Types.A2AAgentCard> = validate20 as never;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/agent-card.schema.json","title":"A2AAgentCard","description":"How an agent describes itself. A2A 0.3, section 5.5.","type":"object","required":["protocolVersion","name","description","url","version","capabilities","defaultInputModes","defaultOutputModes","skills"],"properties":{"protocolVersion":{"type":"string","description":"Of A2A, e.g. 0.3.0."},"name":{"type":"string"},"description":{"type":"string"},"url":{"type":"string","description":"Where its preferred transport is reached."},"version":{"type":"string","description":"Of the agent."},"preferredTransport":{"type":"string","description":"JSONRPC when absent."},"provider":{"type":"object","description":"Who runs the agent.","required":["organization","url"],"properties":{"organization":{"type":"string"},"url":{"type":"string"}}},"capabilities":{"type":"object","properties":{"streaming":{"type":"boolean"},"pushNotifications":{"type":"boolean"},"stateTransitionHistory":{"type":"boolean"}}},"defaultInputModes":{"type":"array","description":"Media types.","items":{"type":"string"}},"defaultOutputModes":{"type":"array","description":"Media types.","items":{"type":"string"}},"skills":{"type":"array","items":{"title":"A2AAgentSkill","type":"object","required":["id","name","description","tags"],"properties":{"id":{"type":"string"},"name":{"type":"string"},"description":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"examples":{"type":"array","items":{"type":"string"}}}}}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/agent-card.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.protocolVersion === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocolVersion"},message:"must have required property '"+"protocolVersion"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.description === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.url === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.version === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.capabilities === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "capabilities"},message:"must have required property '"+"capabilities"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.defaultInputModes === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "defaultInputModes"},message:"must have required property '"+"defaultInputModes"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.defaultOutputModes === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "defaultOutputModes"},message:"must have required property '"+"defaultOutputModes"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.skills === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "skills"},message:"must have required property '"+"skills"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.protocolVersion !== undefined){
if(typeof data.protocolVersion !== "string"){
const err9 = {instancePath:instancePath+"/protocolVersion",schemaPath:"#/properties/protocolVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err11 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.url !== undefined){
if(typeof data.url !== "string"){
const err12 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.version !== undefined){
if(typeof data.version !== "string"){
const err13 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.preferredTransport !== undefined){
if(typeof data.preferredTransport !== "string"){
const err14 = {instancePath:instancePath+"/preferredTransport",schemaPath:"#/properties/preferredTransport/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.provider !== undefined){
let data6 = data.provider;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.organization === undefined){
const err15 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/required",keyword:"required",params:{missingProperty: "organization"},message:"must have required property '"+"organization"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data6.url === undefined){
const err16 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data6.organization !== undefined){
if(typeof data6.organization !== "string"){
const err17 = {instancePath:instancePath+"/provider/organization",schemaPath:"#/properties/provider/properties/organization/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data6.url !== undefined){
if(typeof data6.url !== "string"){
const err18 = {instancePath:instancePath+"/provider/url",schemaPath:"#/properties/provider/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err19 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.capabilities !== undefined){
let data9 = data.capabilities;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.streaming !== undefined){
if(typeof data9.streaming !== "boolean"){
const err20 = {instancePath:instancePath+"/capabilities/streaming",schemaPath:"#/properties/capabilities/properties/streaming/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data9.pushNotifications !== undefined){
if(typeof data9.pushNotifications !== "boolean"){
const err21 = {instancePath:instancePath+"/capabilities/pushNotifications",schemaPath:"#/properties/capabilities/properties/pushNotifications/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data9.stateTransitionHistory !== undefined){
if(typeof data9.stateTransitionHistory !== "boolean"){
const err22 = {instancePath:instancePath+"/capabilities/stateTransitionHistory",schemaPath:"#/properties/capabilities/properties/stateTransitionHistory/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/capabilities",schemaPath:"#/properties/capabilities/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.defaultInputModes !== undefined){
let data13 = data.defaultInputModes;
if(Array.isArray(data13)){
const len0 = data13.length;
const errorsBefore0 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore0 < 20; i0++){
if(typeof data13[i0] !== "string"){
const err24 = {instancePath:instancePath+"/defaultInputModes/" + i0,schemaPath:"#/properties/defaultInputModes/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath:instancePath+"/defaultInputModes",schemaPath:"#/properties/defaultInputModes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.defaultOutputModes !== undefined){
let data15 = data.defaultOutputModes;
if(Array.isArray(data15)){
const len1 = data15.length;
const errorsBefore1 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore1 < 20; i1++){
if(typeof data15[i1] !== "string"){
const err26 = {instancePath:instancePath+"/defaultOutputModes/" + i1,schemaPath:"#/properties/defaultOutputModes/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/defaultOutputModes",schemaPath:"#/properties/defaultOutputModes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.skills !== undefined){
let data17 = data.skills;
if(Array.isArray(data17)){
const len2 = data17.length;
const errorsBefore2 = errors;
for(let i2=0; i2<len2 && errors - errorsBefore2 < 20; i2++){
let data18 = data17[i2];
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.id === undefined){
const err28 = {instancePath:instancePath+"/skills/" + i2,schemaPath:"#/properties/skills/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data18.name === undefined){
const err29 = {instancePath:instancePath+"/skills/" + i2,schemaPath:"#/properties/skills/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data18.description === undefined){
const err30 = {instancePath:instancePath+"/skills/" + i2,schemaPath:"#/properties/skills/items/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if(data18.tags === undefined){
const err31 = {instancePath:instancePath+"/skills/" + i2,schemaPath:"#/properties/skills/items/required",keyword:"required",params:{missingProperty: "tags"},message:"must have required property '"+"tags"+"'"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data18.id !== undefined){
if(typeof data18.id !== "string"){
const err32 = {instancePath:instancePath+"/skills/" + i2+"/id",schemaPath:"#/properties/skills/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data18.name !== undefined){
if(typeof data18.name !== "string"){
const err33 = {instancePath:instancePath+"/skills/" + i2+"/name",schemaPath:"#/properties/skills/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data18.description !== undefined){
if(typeof data18.description !== "string"){
const err34 = {instancePath:instancePath+"/skills/" + i2+"/description",schemaPath:"#/properties/skills/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data18.tags !== undefined){
let data22 = data18.tags;
if(Array.isArray(data22)){
const len3 = data22.length;
const errorsBefore3 = errors;
for(let i3=0; i3<len3 && errors - errorsBefore3 < 20; i3++){
if(typeof data22[i3] !== "string"){
const err35 = {instancePath:instancePath+"/skills/" + i2+"/tags/" + i3,schemaPath:"#/properties/skills/items/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/skills/" + i2+"/tags",schemaPath:"#/properties/skills/items/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data18.examples !== undefined){
let data24 = data18.examples;
if(Array.isArray(data24)){
const len4 = data24.length;
const errorsBefore4 = errors;
for(let i4=0; i4<len4 && errors - errorsBefore4 < 20; i4++){
if(typeof data24[i4] !== "string"){
const err37 = {instancePath:instancePath+"/skills/" + i2+"/examples/" + i4,schemaPath:"#/properties/skills/items/properties/examples/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/skills/" + i2+"/examples",schemaPath:"#/properties/skills/items/properties/examples/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/skills/" + i2,schemaPath:"#/properties/skills/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath:instancePath+"/skills",schemaPath:"#/properties/skills/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"protocolVersion":true,"name":true,"description":true,"url":true,"version":true,"preferredTransport":true,"provider":true,"capabilities":true,"defaultInputModes":true,"defaultOutputModes":true,"skills":true},"dynamicProps":false,"dynamicItems":false};

export const isA2AArtifact: Validator<Types.A2AArtifact> = validate21 as never;
const schema32 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/artifact.schema.json","title":"A2AArtifact","description":"Something that the agent made. A2A 0.3, section 6.7.","type":"object","required":["artifactId","parts"],"properties":{"artifactId":{"type":"string"},"name":{"type":"string"},"description":{"type":"string"},"parts":{"type":"array","items":{"$ref":"part.schema.json"}},"metadata":{"type":"object"}}};
const schema33 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/part.schema.json","title":"A2APart","description":"A piece of a message or an artifact: text, a file, or data. A2A 0.3, section 6.5.","type":"object","discriminator":{"propertyName":"kind"},"oneOf":[{"title":"A2ATextPart","required":["kind","text"],"properties":{"kind":{"const":"text"},"text":{"type":"string"},"metadata":{"type":"object"}}},{"title":"A2AFilePart","required":["kind","file"],"properties":{"kind":{"const":"file"},"file":{"title":"A2AFile","description":"A file, by value or by address.","type":"object","properties":{"name":{"type":"string"},"mimeType":{"type":"string"},"bytes":{"type":"string","description":"The contents, Base64."},"uri":{"type":"string","description":"Where the contents can be fetched."}}},"metadata":{"type":"object"}}},{"title":"A2ADataPart","description":"Structured data, any JSON value.","required":["kind","data"],"properties":{"kind":{"const":"data"},"data":{},"metadata":{"type":"object"}}}]};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/artifact.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.artifactId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "artifactId"},message:"must have required property '"+"artifactId"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.parts === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "parts"},message:"must have required property '"+"parts"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.artifactId !== undefined){
if(typeof data.artifactId !== "string"){
const err2 = {instancePath:instancePath+"/artifactId",schemaPath:"#/properties/artifactId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err4 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.parts !== undefined){
let data3 = data.parts;
if(Array.isArray(data3)){
const len0 = data3.length;
const errorsBefore5 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore5 < 20; i0++){
let data4 = data3[i0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
const tag0 = data4.kind;
if(typeof tag0 == "string"){
if(tag0 === "text"){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kind === undefined){
const err5 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/0/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data4.text === undefined){
const err6 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/0/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data4.kind !== undefined){
if("text" !== data4.kind){
const err7 = {instancePath:instancePath+"/parts/" + i0+"/kind",schemaPath:"part.schema.json/oneOf/0/properties/kind/const",keyword:"const",params:{allowedValue: "text"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data4.text !== undefined){
if(typeof data4.text !== "string"){
const err8 = {instancePath:instancePath+"/parts/" + i0+"/text",schemaPath:"part.schema.json/oneOf/0/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data4.metadata !== undefined){
let data7 = data4.metadata;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
const err9 = {instancePath:instancePath+"/parts/" + i0+"/metadata",schemaPath:"part.schema.json/oneOf/0/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
var props0 = {};
props0.kind = true;
props0.text = true;
props0.metadata = true;
}
else if(tag0 === "file"){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kind === undefined){
const err10 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/1/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data4.file === undefined){
const err11 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/1/required",keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data4.kind !== undefined){
if("file" !== data4.kind){
const err12 = {instancePath:instancePath+"/parts/" + i0+"/kind",schemaPath:"part.schema.json/oneOf/1/properties/kind/const",keyword:"const",params:{allowedValue: "file"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data4.file !== undefined){
let data9 = data4.file;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.name !== undefined){
if(typeof data9.name !== "string"){
const err13 = {instancePath:instancePath+"/parts/" + i0+"/file/name",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data9.mimeType !== undefined){
if(typeof data9.mimeType !== "string"){
const err14 = {instancePath:instancePath+"/parts/" + i0+"/file/mimeType",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/mimeType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data9.bytes !== undefined){
if(typeof data9.bytes !== "string"){
const err15 = {instancePath:instancePath+"/parts/" + i0+"/file/bytes",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/bytes/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data9.uri !== undefined){
if(typeof data9.uri !== "string"){
const err16 = {instancePath:instancePath+"/parts/" + i0+"/file/uri",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/uri/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/parts/" + i0+"/file",schemaPath:"part.schema.json/oneOf/1/properties/file/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data4.metadata !== undefined){
let data14 = data4.metadata;
if(!(data14 && typeof data14 == "object" && !Array.isArray(data14))){
const err18 = {instancePath:instancePath+"/parts/" + i0+"/metadata",schemaPath:"part.schema.json/oneOf/1/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
if(props0 !== true){
props0 = props0 || {};
props0.kind = true;
props0.file = true;
props0.metadata = true;
}
}
else if(tag0 === "data"){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kind === undefined){
const err19 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/2/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data4.data === undefined){
const err20 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/2/required",keyword:"required",params:{missingProperty: "data"},message:"must have required property '"+"data"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data4.kind !== undefined){
if("data" !== data4.kind){
const err21 = {instancePath:instancePath+"/parts/" + i0+"/kind",schemaPath:"part.schema.json/oneOf/2/properties/kind/const",keyword:"const",params:{allowedValue: "data"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data4.metadata !== undefined){
let data16 = data4.metadata;
if(!(data16 && typeof data16 == "object" && !Array.isArray(data16))){
const err22 = {instancePath:instancePath+"/parts/" + i0+"/metadata",schemaPath:"part.schema.json/oneOf/2/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
if(props0 !== true){
props0 = props0 || {};
props0.kind = true;
props0.data = true;
props0.metadata = true;
}
}
else {
const err23 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag0},message:"value of tag \"kind\" must be in oneOf"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag0},message:"tag \"kind\" must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/parts",schemaPath:"#/properties/parts/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.metadata !== undefined){
let data17 = data.metadata;
if(!(data17 && typeof data17 == "object" && !Array.isArray(data17))){
const err27 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"artifactId":true,"name":true,"description":true,"parts":true,"metadata":true},"dynamicProps":false,"dynamicItems":false};

export const isA2AMessageSendRequest: Validator<Types.A2AMessageSendRequest> = validate22 as never;
const schema34 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/message-send-request.schema.json","title":"A2AMessageSendRequest","description":"Gives a task to an agent. The id is that of the agent task. A2A 0.3, section 7.1.","type":"object","required":["jsonrpc","id","method","params"],"properties":{"jsonrpc":{"const":"2.0"},"id":{"$ref":"../../common.schema.json#/$defs/BusId"},"method":{"$ref":"send-method.schema.json"},"params":{"title":"A2AMessageSendParams","type":"object","required":["message"],"properties":{"message":{"$ref":"message.schema.json"},"configuration":{"type":"object","description":"How the answer is wanted.","properties":{"acceptedOutputModes":{"type":"array","description":"Media types.","items":{"type":"string"}},"blocking":{"type":"boolean","description":"Whether the answer may wait for the end of the task."}}},"metadata":{"type":"object"}}}},"additionalProperties":false};
const schema36 = {"title":"BusId","description":"Names a run, a task or a correlation on the bus. Whoever sends it makes it, with any characters: quote it before it goes into a header or a log line.","type":"string","minLength":1,"maxLength":255};
const schema37 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/send-method.schema.json","title":"A2ASendMethod","description":"The methods that a task may be sent with; `message/send` unless an agent needs another.","enum":["message/send","tasks/send","agent/invoke"],"x-meanings":{"message/send":"A2A since 0.2.","tasks/send":"A2A before 0.2.","agent/invoke":"Agents of the older workflow system."}};
const func1 = ucs2length;
const schema38 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/message.schema.json","title":"A2AMessage","description":"One turn between client and agent. Peers that know one kind of result leave out `kind`. A2A 0.3, section 6.4.","type":"object","required":["role","messageId","parts"],"properties":{"kind":{"const":"message"},"role":{"enum":["user","agent"],"description":"Who speaks: user is the client."},"messageId":{"type":"string","minLength":1,"description":"Made by the sender."},"parts":{"type":"array","minItems":1,"items":{"$ref":"part.schema.json"}},"taskId":{"type":"string","description":"The task it belongs to."},"contextId":{"type":"string","description":"The conversation it belongs to."},"referenceTaskIds":{"type":"array","description":"Other tasks that it speaks of.","items":{"type":"string"}},"extensions":{"type":"array","description":"URIs of the protocol extensions in use.","items":{"type":"string"}},"metadata":{"type":"object"}}};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/message.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.messageId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "messageId"},message:"must have required property '"+"messageId"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.parts === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "parts"},message:"must have required property '"+"parts"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.kind !== undefined){
if("message" !== data.kind){
const err3 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "message"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.role !== undefined){
let data1 = data.role;
if(!((data1 === "user") || (data1 === "agent"))){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema38.properties.role.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.messageId !== undefined){
let data2 = data.messageId;
if(typeof data2 === "string"){
if(func1(data2) < 1){
const err5 = {instancePath:instancePath+"/messageId",schemaPath:"#/properties/messageId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err6 = {instancePath:instancePath+"/messageId",schemaPath:"#/properties/messageId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.parts !== undefined){
let data3 = data.parts;
if(Array.isArray(data3)){
if(data3.length < 1){
const err7 = {instancePath:instancePath+"/parts",schemaPath:"#/properties/parts/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len0 = data3.length;
const errorsBefore6 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore6 < 20; i0++){
let data4 = data3[i0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
const tag0 = data4.kind;
if(typeof tag0 == "string"){
if(tag0 === "text"){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kind === undefined){
const err8 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/0/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data4.text === undefined){
const err9 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/0/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data4.kind !== undefined){
if("text" !== data4.kind){
const err10 = {instancePath:instancePath+"/parts/" + i0+"/kind",schemaPath:"part.schema.json/oneOf/0/properties/kind/const",keyword:"const",params:{allowedValue: "text"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data4.text !== undefined){
if(typeof data4.text !== "string"){
const err11 = {instancePath:instancePath+"/parts/" + i0+"/text",schemaPath:"part.schema.json/oneOf/0/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data4.metadata !== undefined){
let data7 = data4.metadata;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
const err12 = {instancePath:instancePath+"/parts/" + i0+"/metadata",schemaPath:"part.schema.json/oneOf/0/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
var props0 = {};
props0.kind = true;
props0.text = true;
props0.metadata = true;
}
else if(tag0 === "file"){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kind === undefined){
const err13 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/1/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4.file === undefined){
const err14 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/1/required",keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data4.kind !== undefined){
if("file" !== data4.kind){
const err15 = {instancePath:instancePath+"/parts/" + i0+"/kind",schemaPath:"part.schema.json/oneOf/1/properties/kind/const",keyword:"const",params:{allowedValue: "file"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data4.file !== undefined){
let data9 = data4.file;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.name !== undefined){
if(typeof data9.name !== "string"){
const err16 = {instancePath:instancePath+"/parts/" + i0+"/file/name",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data9.mimeType !== undefined){
if(typeof data9.mimeType !== "string"){
const err17 = {instancePath:instancePath+"/parts/" + i0+"/file/mimeType",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/mimeType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data9.bytes !== undefined){
if(typeof data9.bytes !== "string"){
const err18 = {instancePath:instancePath+"/parts/" + i0+"/file/bytes",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/bytes/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data9.uri !== undefined){
if(typeof data9.uri !== "string"){
const err19 = {instancePath:instancePath+"/parts/" + i0+"/file/uri",schemaPath:"part.schema.json/oneOf/1/properties/file/properties/uri/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err20 = {instancePath:instancePath+"/parts/" + i0+"/file",schemaPath:"part.schema.json/oneOf/1/properties/file/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data4.metadata !== undefined){
let data14 = data4.metadata;
if(!(data14 && typeof data14 == "object" && !Array.isArray(data14))){
const err21 = {instancePath:instancePath+"/parts/" + i0+"/metadata",schemaPath:"part.schema.json/oneOf/1/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
if(props0 !== true){
props0 = props0 || {};
props0.kind = true;
props0.file = true;
props0.metadata = true;
}
}
else if(tag0 === "data"){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.kind === undefined){
const err22 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/2/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data4.data === undefined){
const err23 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/oneOf/2/required",keyword:"required",params:{missingProperty: "data"},message:"must have required property '"+"data"+"'"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data4.kind !== undefined){
if("data" !== data4.kind){
const err24 = {instancePath:instancePath+"/parts/" + i0+"/kind",schemaPath:"part.schema.json/oneOf/2/properties/kind/const",keyword:"const",params:{allowedValue: "data"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data4.metadata !== undefined){
let data16 = data4.metadata;
if(!(data16 && typeof data16 == "object" && !Array.isArray(data16))){
const err25 = {instancePath:instancePath+"/parts/" + i0+"/metadata",schemaPath:"part.schema.json/oneOf/2/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
if(props0 !== true){
props0 = props0 || {};
props0.kind = true;
props0.data = true;
props0.metadata = true;
}
}
else {
const err26 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag0},message:"value of tag \"kind\" must be in oneOf"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag0},message:"tag \"kind\" must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/parts/" + i0,schemaPath:"part.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err29 = {instancePath:instancePath+"/parts",schemaPath:"#/properties/parts/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.taskId !== undefined){
if(typeof data.taskId !== "string"){
const err30 = {instancePath:instancePath+"/taskId",schemaPath:"#/properties/taskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.contextId !== undefined){
if(typeof data.contextId !== "string"){
const err31 = {instancePath:instancePath+"/contextId",schemaPath:"#/properties/contextId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.referenceTaskIds !== undefined){
let data19 = data.referenceTaskIds;
if(Array.isArray(data19)){
const len1 = data19.length;
const errorsBefore7 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore7 < 20; i1++){
if(typeof data19[i1] !== "string"){
const err32 = {instancePath:instancePath+"/referenceTaskIds/" + i1,schemaPath:"#/properties/referenceTaskIds/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath:instancePath+"/referenceTaskIds",schemaPath:"#/properties/referenceTaskIds/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.extensions !== undefined){
let data21 = data.extensions;
if(Array.isArray(data21)){
const len2 = data21.length;
const errorsBefore8 = errors;
for(let i2=0; i2<len2 && errors - errorsBefore8 < 20; i2++){
if(typeof data21[i2] !== "string"){
const err34 = {instancePath:instancePath+"/extensions/" + i2,schemaPath:"#/properties/extensions/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/extensions",schemaPath:"#/properties/extensions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.metadata !== undefined){
let data23 = data.metadata;
if(!(data23 && typeof data23 == "object" && !Array.isArray(data23))){
const err36 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":{"kind":true,"role":true,"messageId":true,"parts":true,"taskId":true,"contextId":true,"referenceTaskIds":true,"extensions":true,"metadata":true},"dynamicProps":false,"dynamicItems":false};


function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/message-send-request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
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
if(data.id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.method === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"},message:"must have required property '"+"method"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.params === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "params"},message:"must have required property '"+"params"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore37 = errors;
for(const key0 in data){
if(errors - errorsBefore37 >= 20) break;
if(!((((key0 === "jsonrpc") || (key0 === "id")) || (key0 === "method")) || (key0 === "params"))){
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
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err6 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data1) < 1){
const err7 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.method !== undefined){
let data2 = data.method;
if(!(((data2 === "message/send") || (data2 === "tasks/send")) || (data2 === "agent/invoke"))){
const err9 = {instancePath:instancePath+"/method",schemaPath:"send-method.schema.json/enum",keyword:"enum",params:{allowedValues: schema37.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.params !== undefined){
let data3 = data.params;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.message === undefined){
const err10 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3.message !== undefined){
if(!(validate24(data3.message, {instancePath:instancePath+"/params/message",parentData:data3,parentDataProperty:"message",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
if(data3.configuration !== undefined){
let data5 = data3.configuration;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.acceptedOutputModes !== undefined){
let data6 = data5.acceptedOutputModes;
if(Array.isArray(data6)){
const len0 = data6.length;
const errorsBefore9 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore9 < 20; i0++){
if(typeof data6[i0] !== "string"){
const err11 = {instancePath:instancePath+"/params/configuration/acceptedOutputModes/" + i0,schemaPath:"#/properties/params/properties/configuration/properties/acceptedOutputModes/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/params/configuration/acceptedOutputModes",schemaPath:"#/properties/params/properties/configuration/properties/acceptedOutputModes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data5.blocking !== undefined){
if(typeof data5.blocking !== "boolean"){
const err13 = {instancePath:instancePath+"/params/configuration/blocking",schemaPath:"#/properties/params/properties/configuration/properties/blocking/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/params/configuration",schemaPath:"#/properties/params/properties/configuration/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data3.metadata !== undefined){
let data9 = data3.metadata;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
const err15 = {instancePath:instancePath+"/params/metadata",schemaPath:"#/properties/params/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err16 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isA2AMessage: Validator<Types.A2AMessage> = validate24 as never;

export const isA2APart: Validator<Types.A2APart> = validate26 as never;

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/part.schema.json" */;
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
const tag0 = data.kind;
if(typeof tag0 == "string"){
if(tag0 === "text"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.text === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.kind !== undefined){
if("text" !== data.kind){
const err2 = {instancePath:instancePath+"/kind",schemaPath:"#/oneOf/0/properties/kind/const",keyword:"const",params:{allowedValue: "text"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.text !== undefined){
if(typeof data.text !== "string"){
const err3 = {instancePath:instancePath+"/text",schemaPath:"#/oneOf/0/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.metadata !== undefined){
let data2 = data.metadata;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err4 = {instancePath:instancePath+"/metadata",schemaPath:"#/oneOf/0/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
var props0 = {};
props0.kind = true;
props0.text = true;
props0.metadata = true;
}
else if(tag0 === "file"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err5 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.file === undefined){
const err6 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.kind !== undefined){
if("file" !== data.kind){
const err7 = {instancePath:instancePath+"/kind",schemaPath:"#/oneOf/1/properties/kind/const",keyword:"const",params:{allowedValue: "file"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.file !== undefined){
let data4 = data.file;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.name !== undefined){
if(typeof data4.name !== "string"){
const err8 = {instancePath:instancePath+"/file/name",schemaPath:"#/oneOf/1/properties/file/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data4.mimeType !== undefined){
if(typeof data4.mimeType !== "string"){
const err9 = {instancePath:instancePath+"/file/mimeType",schemaPath:"#/oneOf/1/properties/file/properties/mimeType/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data4.bytes !== undefined){
if(typeof data4.bytes !== "string"){
const err10 = {instancePath:instancePath+"/file/bytes",schemaPath:"#/oneOf/1/properties/file/properties/bytes/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data4.uri !== undefined){
if(typeof data4.uri !== "string"){
const err11 = {instancePath:instancePath+"/file/uri",schemaPath:"#/oneOf/1/properties/file/properties/uri/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/file",schemaPath:"#/oneOf/1/properties/file/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.metadata !== undefined){
let data9 = data.metadata;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
const err13 = {instancePath:instancePath+"/metadata",schemaPath:"#/oneOf/1/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
if(props0 !== true){
props0 = props0 || {};
props0.kind = true;
props0.file = true;
props0.metadata = true;
}
}
else if(tag0 === "data"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
const err14 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data.data === undefined){
const err15 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "data"},message:"must have required property '"+"data"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data.kind !== undefined){
if("data" !== data.kind){
const err16 = {instancePath:instancePath+"/kind",schemaPath:"#/oneOf/2/properties/kind/const",keyword:"const",params:{allowedValue: "data"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.metadata !== undefined){
let data11 = data.metadata;
if(!(data11 && typeof data11 == "object" && !Array.isArray(data11))){
const err17 = {instancePath:instancePath+"/metadata",schemaPath:"#/oneOf/2/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
if(props0 !== true){
props0 = props0 || {};
props0.kind = true;
props0.data = true;
props0.metadata = true;
}
}
else {
const err18 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag0},message:"value of tag \"kind\" must be in oneOf"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag0},message:"tag \"kind\" must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
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
validate26.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate26.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isA2ASendMethod: Validator<Types.A2ASendMethod> = validate27 as never;

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/send-method.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((data === "message/send") || (data === "tasks/send")) || (data === "agent/invoke"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema37.enum},message:"must be equal to one of the allowed values"};
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

export const isA2ASendResult: Validator<Types.A2ASendResult> = validate28 as never;
const schema42 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/send-result.schema.json","title":"A2ASendResult","description":"What `message/send` answers: a task, or a message when there is nothing to follow.","oneOf":[{"$ref":"task.schema.json"},{"$ref":"message.schema.json"}]};
const schema43 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/task.schema.json","title":"A2ATask","description":"A task as the agent sees it. A2A 0.3, section 6.1.","type":"object","required":["kind","id","contextId","status"],"properties":{"kind":{"const":"task"},"id":{"type":"string","description":"Made by the agent."},"contextId":{"type":"string","description":"The conversation that it belongs to."},"status":{"title":"A2ATaskStatus","type":"object","required":["state"],"properties":{"state":{"$ref":"task-state.schema.json"},"message":{"$ref":"message.schema.json"},"timestamp":{"type":"string"}}},"artifacts":{"type":"array","description":"What the agent made, in order.","items":{"$ref":"artifact.schema.json"}},"history":{"type":"array","description":"What was said, oldest first.","items":{"$ref":"message.schema.json"}},"metadata":{"type":"object"}}};
const schema44 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/task-state.schema.json","title":"A2ATaskState","description":"Where a task stands at the agent. A2A 0.3, section 6.3.","enum":["submitted","working","input-required","completed","canceled","failed","rejected","auth-required","unknown"],"x-meanings":{"submitted":"Taken, not begun.","working":"Under way.","input-required":"Waits for the client to say more.","completed":"Final: done.","canceled":"Final: stopped.","failed":"Final: it went wrong.","rejected":"Final: the agent will not do it.","auth-required":"Waits for an authorization.","unknown":"The agent cannot tell."}};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/task.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
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
if(data.id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.contextId === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "contextId"},message:"must have required property '"+"contextId"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.status === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.kind !== undefined){
if("task" !== data.kind){
const err4 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "task"},message:"must be equal to constant"};
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
if(typeof data.id !== "string"){
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.contextId !== undefined){
if(typeof data.contextId !== "string"){
const err6 = {instancePath:instancePath+"/contextId",schemaPath:"#/properties/contextId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.status !== undefined){
let data3 = data.status;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.state === undefined){
const err7 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3.state !== undefined){
let data4 = data3.state;
if(!(((((((((data4 === "submitted") || (data4 === "working")) || (data4 === "input-required")) || (data4 === "completed")) || (data4 === "canceled")) || (data4 === "failed")) || (data4 === "rejected")) || (data4 === "auth-required")) || (data4 === "unknown"))){
const err8 = {instancePath:instancePath+"/status/state",schemaPath:"task-state.schema.json/enum",keyword:"enum",params:{allowedValues: schema44.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data3.message !== undefined){
if(!(validate24(data3.message, {instancePath:instancePath+"/status/message",parentData:data3,parentDataProperty:"message",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
if(data3.timestamp !== undefined){
if(typeof data3.timestamp !== "string"){
const err9 = {instancePath:instancePath+"/status/timestamp",schemaPath:"#/properties/status/properties/timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err10 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.artifacts !== undefined){
let data7 = data.artifacts;
if(Array.isArray(data7)){
const len0 = data7.length;
const errorsBefore10 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore10 < 20; i0++){
if(!(validate21(data7[i0], {instancePath:instancePath+"/artifacts/" + i0,parentData:data7,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
}
else {
const err11 = {instancePath:instancePath+"/artifacts",schemaPath:"#/properties/artifacts/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.history !== undefined){
let data9 = data.history;
if(Array.isArray(data9)){
const len1 = data9.length;
const errorsBefore11 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore11 < 20; i1++){
if(!(validate24(data9[i1], {instancePath:instancePath+"/history/" + i1,parentData:data9,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
}
else {
const err12 = {instancePath:instancePath+"/history",schemaPath:"#/properties/history/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.metadata !== undefined){
let data11 = data.metadata;
if(!(data11 && typeof data11 == "object" && !Array.isArray(data11))){
const err13 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":{"kind":true,"id":true,"contextId":true,"status":true,"artifacts":true,"history":true,"metadata":true},"dynamicProps":false,"dynamicItems":false};


function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/send-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
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
if(!(validate29(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate29.errors : vErrors.concat(validate29.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.kind = true;
props0.id = true;
props0.contextId = true;
props0.status = true;
props0.artifacts = true;
props0.history = true;
props0.metadata = true;
}
const _errs2 = errors;
if(!(validate24(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
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
props0.kind = true;
props0.role = true;
props0.messageId = true;
props0.parts = true;
props0.taskId = true;
props0.contextId = true;
props0.referenceTaskIds = true;
props0.extensions = true;
props0.metadata = true;
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
validate28.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate28.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isA2ATaskState: Validator<Types.A2ATaskState> = validate35 as never;

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/task-state.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((((((data === "submitted") || (data === "working")) || (data === "input-required")) || (data === "completed")) || (data === "canceled")) || (data === "failed")) || (data === "rejected")) || (data === "auth-required")) || (data === "unknown"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema44.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isA2ATask: Validator<Types.A2ATask> = validate29 as never;

export const isA2ATasksCancelRequest: Validator<Types.A2ATasksCancelRequest> = validate36 as never;
const schema46 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/tasks-cancel-request.schema.json","title":"A2ATasksCancelRequest","description":"Asks an agent to stop a task. A2A 0.3, section 7.4.","type":"object","required":["jsonrpc","id","method","params"],"properties":{"jsonrpc":{"const":"2.0"},"id":{"$ref":"../../common.schema.json#/$defs/BusId"},"method":{"const":"tasks/cancel"},"params":{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"The agent's id of the task."}}}},"additionalProperties":false};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/tasks-cancel-request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
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
if(data.id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.method === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"},message:"must have required property '"+"method"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.params === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "params"},message:"must have required property '"+"params"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore38 = errors;
for(const key0 in data){
if(errors - errorsBefore38 >= 20) break;
if(!((((key0 === "jsonrpc") || (key0 === "id")) || (key0 === "method")) || (key0 === "params"))){
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
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err6 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data1) < 1){
const err7 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.method !== undefined){
if("tasks/cancel" !== data.method){
const err9 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/const",keyword:"const",params:{allowedValue: "tasks/cancel"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.params !== undefined){
let data3 = data.params;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.id === undefined){
const err10 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3.id !== undefined){
if(typeof data3.id !== "string"){
const err11 = {instancePath:instancePath+"/params/id",schemaPath:"#/properties/params/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}
validate36.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isA2ATasksGetRequest: Validator<Types.A2ATasksGetRequest> = validate37 as never;
const schema48 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/a2a/v0.3/tasks-get-request.schema.json","title":"A2ATasksGetRequest","description":"Asks an agent how a task stands. A2A 0.3, section 7.3.","type":"object","required":["jsonrpc","id","method","params"],"properties":{"jsonrpc":{"const":"2.0"},"id":{"$ref":"../../common.schema.json#/$defs/BusId"},"method":{"const":"tasks/get"},"params":{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"The agent's id of the task."},"historyLength":{"type":"integer","minimum":0,"description":"How many of the last messages are wanted."}}}},"additionalProperties":false};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/a2a/v0.3/tasks-get-request.schema.json" */;
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
if(data.id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.method === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"},message:"must have required property '"+"method"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.params === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "params"},message:"must have required property '"+"params"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore39 = errors;
for(const key0 in data){
if(errors - errorsBefore39 >= 20) break;
if(!((((key0 === "jsonrpc") || (key0 === "id")) || (key0 === "method")) || (key0 === "params"))){
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
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err6 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data1) < 1){
const err7 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",schemaPath:"../../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.method !== undefined){
if("tasks/get" !== data.method){
const err9 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/const",keyword:"const",params:{allowedValue: "tasks/get"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.params !== undefined){
let data3 = data.params;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.id === undefined){
const err10 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3.id !== undefined){
if(typeof data3.id !== "string"){
const err11 = {instancePath:instancePath+"/params/id",schemaPath:"#/properties/params/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data3.historyLength !== undefined){
let data5 = data3.historyLength;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err12 = {instancePath:instancePath+"/params/historyLength",schemaPath:"#/properties/params/properties/historyLength/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err13 = {instancePath:instancePath+"/params/historyLength",schemaPath:"#/properties/params/properties/historyLength/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
}
else {
const err14 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAgentCancellation: Validator<Types.AgentCancellation> = validate38 as never;
const schema50 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/bus/agent-cancellation.schema.json","title":"AgentCancellation","description":"Asks for an agent task to be stopped.","type":"object","required":["run_id","task_id","correlation_id","timestamp"],"properties":{"run_id":{"$ref":"../common.schema.json#/$defs/BusId"},"task_id":{"$ref":"../common.schema.json#/$defs/BusId"},"correlation_id":{"$ref":"../common.schema.json#/$defs/BusId"},"timestamp":{"$ref":"../common.schema.json#/$defs/Timestamp"},"reason":{"type":"string","description":"For people."}}};
const schema54 = {"title":"Timestamp","description":"A moment, RFC 3339. Without an offset it is UTC.","type":"string","pattern":"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"};
const pattern4 = new RegExp("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$", "u");

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/bus/agent-cancellation.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
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
if(data.timestamp === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "timestamp"},message:"must have required property '"+"timestamp"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(func1(data0) > 255){
const err4 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func1(data0) < 1){
const err5 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err6 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.task_id !== undefined){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err7 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func1(data1) < 1){
const err8 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err9 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data2 = data.correlation_id;
if(typeof data2 === "string"){
if(func1(data2) > 255){
const err10 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func1(data2) < 1){
const err11 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.timestamp !== undefined){
let data3 = data.timestamp;
if(typeof data3 === "string"){
if(!pattern4.test(data3)){
const err13 = {instancePath:instancePath+"/timestamp",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/timestamp",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.reason !== undefined){
if(typeof data.reason !== "string"){
const err15 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":{"run_id":true,"task_id":true,"correlation_id":true,"timestamp":true,"reason":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentError: Validator<Types.AgentError> = validate39 as never;
const schema55 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/bus/agent-error.schema.json","title":"AgentError","description":"Why an agent did not do a task. `data` is what the agent said beside it, any JSON value.","type":"object","required":["kind","message","retryable"],"properties":{"kind":{"$ref":"../common.schema.json#/$defs/AgentErrorKind"},"message":{"type":"string","minLength":1,"description":"For people; nothing internal."},"retryable":{"type":"boolean","description":"Whether the same task may succeed when it is given again."},"code":{"type":"integer","description":"The agent's JSON-RPC error code, otherwise the HTTP status."},"data":{}}};
const schema56 = {"title":"AgentErrorKind","description":"Why an agent did not do a task, by name. Each kind has one row in the catalogue of agent errors (agent-errors.json).","enum":["invalid_task","unknown_agent","agent_disabled","protocol_unsupported","address_refused","redirect_refused","secret_unavailable","unreachable","call_timeout","deadline_exceeded","http_error","http_unavailable","rate_limited","unauthorized","response_too_large","not_json","invalid_envelope","invalid_response","rpc_error","rpc_unavailable","task_failed","task_canceled","task_rejected","task_state_unknown","input_required","auth_required","circuit_open","canceled","internal"]};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/bus/agent-error.schema.json" */;
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
if(data.retryable === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "retryable"},message:"must have required property '"+"retryable"+"'"};
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
if(!(((((((((((((((((((((((((((((data0 === "invalid_task") || (data0 === "unknown_agent")) || (data0 === "agent_disabled")) || (data0 === "protocol_unsupported")) || (data0 === "address_refused")) || (data0 === "redirect_refused")) || (data0 === "secret_unavailable")) || (data0 === "unreachable")) || (data0 === "call_timeout")) || (data0 === "deadline_exceeded")) || (data0 === "http_error")) || (data0 === "http_unavailable")) || (data0 === "rate_limited")) || (data0 === "unauthorized")) || (data0 === "response_too_large")) || (data0 === "not_json")) || (data0 === "invalid_envelope")) || (data0 === "invalid_response")) || (data0 === "rpc_error")) || (data0 === "rpc_unavailable")) || (data0 === "task_failed")) || (data0 === "task_canceled")) || (data0 === "task_rejected")) || (data0 === "task_state_unknown")) || (data0 === "input_required")) || (data0 === "auth_required")) || (data0 === "circuit_open")) || (data0 === "canceled")) || (data0 === "internal"))){
const err3 = {instancePath:instancePath+"/kind",schemaPath:"../common.schema.json#/$defs/AgentErrorKind/enum",keyword:"enum",params:{allowedValues: schema56.enum},message:"must be equal to one of the allowed values"};
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
let data1 = data.message;
if(typeof data1 === "string"){
if(func1(data1) < 1){
const err4 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err5 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.retryable !== undefined){
if(typeof data.retryable !== "boolean"){
const err6 = {instancePath:instancePath+"/retryable",schemaPath:"#/properties/retryable/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.code !== undefined){
let data3 = data.code;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err7 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
validate39.errors = vErrors;
return errors === 0;
}
validate39.evaluated = {"props":{"kind":true,"message":true,"retryable":true,"code":true,"data":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentResult: Validator<Types.AgentResult> = validate40 as never;
const schema57 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/bus/agent-result.schema.json","title":"AgentResult","description":"How an agent task ended. `output_data` is any JSON value, null on FAILURE.","type":"object","required":["run_id","task_id","status","output_data","correlation_id","error_message","timestamp"],"properties":{"run_id":{"$ref":"../common.schema.json#/$defs/BusId"},"task_id":{"$ref":"../common.schema.json#/$defs/BusId"},"status":{"enum":["SUCCESS","FAILURE"]},"output_data":{},"correlation_id":{"$ref":"../common.schema.json#/$defs/BusId"},"error_message":{"type":["string","null"],"description":"What went wrong, in words; null on SUCCESS."},"timestamp":{"$ref":"../common.schema.json#/$defs/Timestamp"},"error":{"$ref":"agent-error.schema.json"},"attempts":{"type":"integer","minimum":0,"description":"How often the agent was called."},"duration_ms":{"type":"number","minimum":0,"description":"From taking the task to its end, milliseconds."},"context_id":{"$ref":"../common.schema.json#/$defs/ContextId"},"open_task_id":{"$ref":"../common.schema.json#/$defs/AgentTaskId"}}};
const schema62 = {"title":"ContextId","description":"Identifies a conversation. Opaque, stable for one thread and one agent. Printable ASCII, no spaces.","type":"string","pattern":"^[!-~]{1,128}$"};
const schema63 = {"title":"AgentTaskId","description":"An agent's own id for a task that waits for the user. The user's next message continues that task.","type":"string","minLength":1,"maxLength":1024};
const pattern6 = new RegExp("^[!-~]{1,128}$", "u");

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/bus/agent-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate40.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
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
if(data.status === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.output_data === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "output_data"},message:"must have required property '"+"output_data"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.correlation_id === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.error_message === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "error_message"},message:"must have required property '"+"error_message"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.timestamp === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "timestamp"},message:"must have required property '"+"timestamp"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(func1(data0) > 255){
const err7 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func1(data0) < 1){
const err8 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err9 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.task_id !== undefined){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err10 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func1(data1) < 1){
const err11 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.status !== undefined){
let data2 = data.status;
if(!((data2 === "SUCCESS") || (data2 === "FAILURE"))){
const err13 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema57.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data3 = data.correlation_id;
if(typeof data3 === "string"){
if(func1(data3) > 255){
const err14 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(func1(data3) < 1){
const err15 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.error_message !== undefined){
let data4 = data.error_message;
if((typeof data4 !== "string") && (data4 !== null)){
const err17 = {instancePath:instancePath+"/error_message",schemaPath:"#/properties/error_message/type",keyword:"type",params:{type: schema57.properties.error_message.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.timestamp !== undefined){
let data5 = data.timestamp;
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
const err18 = {instancePath:instancePath+"/timestamp",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/timestamp",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.error !== undefined){
if(!(validate39(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
}
if(data.attempts !== undefined){
let data7 = data.attempts;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err20 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
const err21 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
if(data.duration_ms !== undefined){
let data8 = data.duration_ms;
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err22 = {instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
const err23 = {instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.context_id !== undefined){
let data9 = data.context_id;
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err24 = {instancePath:instancePath+"/context_id",schemaPath:"../common.schema.json#/$defs/ContextId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/context_id",schemaPath:"../common.schema.json#/$defs/ContextId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.open_task_id !== undefined){
let data10 = data.open_task_id;
if(typeof data10 === "string"){
if(func1(data10) > 1024){
const err26 = {instancePath:instancePath+"/open_task_id",schemaPath:"../common.schema.json#/$defs/AgentTaskId/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(func1(data10) < 1){
const err27 = {instancePath:instancePath+"/open_task_id",schemaPath:"../common.schema.json#/$defs/AgentTaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/open_task_id",schemaPath:"../common.schema.json#/$defs/AgentTaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err29 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"props":{"run_id":true,"task_id":true,"status":true,"output_data":true,"correlation_id":true,"error_message":true,"timestamp":true,"error":true,"attempts":true,"duration_ms":true,"context_id":true,"open_task_id":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentTaskFile: Validator<Types.AgentTaskFile> = validate42 as never;
const schema64 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/bus/agent-task-file.schema.json","title":"AgentTaskFile","description":"A file for an agent. Small files carry `bytes`, larger files a `url`.","type":"object","required":["name","media_type","size"],"properties":{"name":{"type":"string","minLength":1,"maxLength":255},"media_type":{"type":"string","minLength":1,"maxLength":255,"description":"For example `application/pdf`."},"size":{"type":"integer","minimum":0,"description":"Bytes."},"bytes":{"type":"string","description":"The contents, base64."},"url":{"type":"string","description":"Where the agent can fetch the contents, once, while the task runs."}}};

function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/bus/agent-task-file.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate42.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.media_type === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "media_type"},message:"must have required property '"+"media_type"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.size === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "size"},message:"must have required property '"+"size"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func1(data0) > 255){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func1(data0) < 1){
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.media_type !== undefined){
let data1 = data.media_type;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err6 = {instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data1) < 1){
const err7 = {instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.size !== undefined){
let data2 = data.size;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err9 = {instancePath:instancePath+"/size",schemaPath:"#/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err10 = {instancePath:instancePath+"/size",schemaPath:"#/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.bytes !== undefined){
if(typeof data.bytes !== "string"){
const err11 = {instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.url !== undefined){
if(typeof data.url !== "string"){
const err12 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate42.errors = vErrors;
return errors === 0;
}
validate42.evaluated = {"props":{"name":true,"media_type":true,"size":true,"bytes":true,"url":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentTask: Validator<Types.AgentTask> = validate43 as never;
const schema65 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/bus/agent-task.schema.json","title":"AgentTask","description":"A task for one agent, as the executor puts it on the bus. `input_data` is any JSON value.","type":"object","required":["run_id","task_id","agent_name","input_data","correlation_id"],"properties":{"run_id":{"$ref":"../common.schema.json#/$defs/BusId"},"task_id":{"$ref":"../common.schema.json#/$defs/BusId"},"agent_name":{"$ref":"../common.schema.json#/$defs/AgentName"},"input_data":{},"correlation_id":{"$ref":"../common.schema.json#/$defs/BusId"},"timestamp":{"$ref":"../common.schema.json#/$defs/Timestamp"},"deadline":{"$ref":"../common.schema.json#/$defs/Timestamp"},"context_id":{"$ref":"../common.schema.json#/$defs/ContextId"},"open_task_id":{"$ref":"../common.schema.json#/$defs/AgentTaskId"},"files":{"type":"array","maxItems":20,"description":"Files for the agent, each with either `bytes` or `url`.","items":{"$ref":"agent-task-file.schema.json"}}}};
const schema68 = {"title":"AgentName","description":"Names an agent of the registry. 1 to 255 characters, no control characters.","type":"string","pattern":"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"};
const pattern7 = new RegExp("^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$", "u");

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/bus/agent-task.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate43.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
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
if(data.agent_name === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent_name"},message:"must have required property '"+"agent_name"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.input_data === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "input_data"},message:"must have required property '"+"input_data"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.correlation_id === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(func1(data0) > 255){
const err5 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(func1(data0) < 1){
const err6 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err7 = {instancePath:instancePath+"/run_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.task_id !== undefined){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err8 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(func1(data1) < 1){
const err9 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.agent_name !== undefined){
let data2 = data.agent_name;
if(typeof data2 === "string"){
if(!pattern7.test(data2)){
const err11 = {instancePath:instancePath+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data3 = data.correlation_id;
if(typeof data3 === "string"){
if(func1(data3) > 255){
const err13 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(func1(data3) < 1){
const err14 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.timestamp !== undefined){
let data4 = data.timestamp;
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
const err16 = {instancePath:instancePath+"/timestamp",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/timestamp",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.deadline !== undefined){
let data5 = data.deadline;
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
const err18 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.context_id !== undefined){
let data6 = data.context_id;
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
const err20 = {instancePath:instancePath+"/context_id",schemaPath:"../common.schema.json#/$defs/ContextId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/context_id",schemaPath:"../common.schema.json#/$defs/ContextId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.open_task_id !== undefined){
let data7 = data.open_task_id;
if(typeof data7 === "string"){
if(func1(data7) > 1024){
const err22 = {instancePath:instancePath+"/open_task_id",schemaPath:"../common.schema.json#/$defs/AgentTaskId/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(func1(data7) < 1){
const err23 = {instancePath:instancePath+"/open_task_id",schemaPath:"../common.schema.json#/$defs/AgentTaskId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/open_task_id",schemaPath:"../common.schema.json#/$defs/AgentTaskId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.files !== undefined){
let data8 = data.files;
if(Array.isArray(data8)){
if(data8.length > 20){
const err25 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
const len0 = data8.length;
const errorsBefore12 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore12 < 20; i0++){
let data9 = data8[i0];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.name === undefined){
const err26 = {instancePath:instancePath+"/files/" + i0,schemaPath:"agent-task-file.schema.json/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data9.media_type === undefined){
const err27 = {instancePath:instancePath+"/files/" + i0,schemaPath:"agent-task-file.schema.json/required",keyword:"required",params:{missingProperty: "media_type"},message:"must have required property '"+"media_type"+"'"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data9.size === undefined){
const err28 = {instancePath:instancePath+"/files/" + i0,schemaPath:"agent-task-file.schema.json/required",keyword:"required",params:{missingProperty: "size"},message:"must have required property '"+"size"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data9.name !== undefined){
let data10 = data9.name;
if(typeof data10 === "string"){
if(func1(data10) > 255){
const err29 = {instancePath:instancePath+"/files/" + i0+"/name",schemaPath:"agent-task-file.schema.json/properties/name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(func1(data10) < 1){
const err30 = {instancePath:instancePath+"/files/" + i0+"/name",schemaPath:"agent-task-file.schema.json/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/files/" + i0+"/name",schemaPath:"agent-task-file.schema.json/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data9.media_type !== undefined){
let data11 = data9.media_type;
if(typeof data11 === "string"){
if(func1(data11) > 255){
const err32 = {instancePath:instancePath+"/files/" + i0+"/media_type",schemaPath:"agent-task-file.schema.json/properties/media_type/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(func1(data11) < 1){
const err33 = {instancePath:instancePath+"/files/" + i0+"/media_type",schemaPath:"agent-task-file.schema.json/properties/media_type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/files/" + i0+"/media_type",schemaPath:"agent-task-file.schema.json/properties/media_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data9.size !== undefined){
let data12 = data9.size;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err35 = {instancePath:instancePath+"/files/" + i0+"/size",schemaPath:"agent-task-file.schema.json/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 < 0 || isNaN(data12)){
const err36 = {instancePath:instancePath+"/files/" + i0+"/size",schemaPath:"agent-task-file.schema.json/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
if(data9.bytes !== undefined){
if(typeof data9.bytes !== "string"){
const err37 = {instancePath:instancePath+"/files/" + i0+"/bytes",schemaPath:"agent-task-file.schema.json/properties/bytes/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data9.url !== undefined){
if(typeof data9.url !== "string"){
const err38 = {instancePath:instancePath+"/files/" + i0+"/url",schemaPath:"agent-task-file.schema.json/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/files/" + i0,schemaPath:"agent-task-file.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}
validate43.evaluated = {"props":{"run_id":true,"task_id":true,"agent_name":true,"input_data":true,"correlation_id":true,"timestamp":true,"deadline":true,"context_id":true,"open_task_id":true,"files":true},"dynamicProps":false,"dynamicItems":false};

export const isCorrelationId: Validator<Types.CorrelationId> = validate44 as never;
const schema75 = {"title":"CorrelationId","description":"Follows one Slack message through both zones, their logs, the bus and every agent. Printable ASCII, no spaces.","type":"string","pattern":"^[!-~]{1,128}$"};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate44.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern6.test(data)){
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
validate44.errors = vErrors;
return errors === 0;
}
validate44.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isTaskId: Validator<Types.TaskId> = validate45 as never;
const schema76 = {"title":"TaskId","description":"Names a task of the execution zone. Made by execution, not guessable.","type":"string","minLength":1,"maxLength":128};

function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate45.evaluated;
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
validate45.errors = vErrors;
return errors === 0;
}
validate45.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isRequestId: Validator<Types.RequestId> = validate46 as never;
const schema77 = {"title":"RequestId","description":"The JSON-RPC id of a zone request: a UUID made by verification. It is the idempotency key too: the same caller sending it again gets the same task.","type":"string","format":"uuid","pattern":"^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"};
const pattern12 = new RegExp("^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$", "u");

function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate46.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern12.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"},message:"must match pattern \""+"^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"+"\""};
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
validate46.errors = vErrors;
return errors === 0;
}
validate46.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isErrorKind: Validator<Types.ErrorKind> = validate47 as never;
const schema78 = {"title":"ErrorKind","description":"What went wrong, by name. Each kind has one row in the error catalogue (errors.json).","enum":["parse_error","invalid_request","method_not_found","invalid_params","internal","timeout","task_not_found","unknown_agent","invalid_state_transition","agent_unavailable","agent_failed","agent_invalid_response","rate_limited","unauthorized","payload_too_large","canceled","shutting_down"]};

function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate47.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((((((((((((((data === "parse_error") || (data === "invalid_request")) || (data === "method_not_found")) || (data === "invalid_params")) || (data === "internal")) || (data === "timeout")) || (data === "task_not_found")) || (data === "unknown_agent")) || (data === "invalid_state_transition")) || (data === "agent_unavailable")) || (data === "agent_failed")) || (data === "agent_invalid_response")) || (data === "rate_limited")) || (data === "unauthorized")) || (data === "payload_too_large")) || (data === "canceled")) || (data === "shutting_down"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema78.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate47.errors = vErrors;
return errors === 0;
}
validate47.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isTaskState: Validator<Types.TaskState> = validate48 as never;
const schema79 = {"title":"TaskState","description":"Where a task stands in the execution zone. submitted and working are open; the others are final.","enum":["submitted","working","success","error","canceled","timed_out"],"x-meanings":{"submitted":"Stored, not started. Asking for its result answers `working`.","working":"An agent works on it. Asking for its result answers `working`.","success":"Final: the agent answered. The result has `status` `success`.","error":"Final: it failed. Asking for its result answers the error it ended with.","canceled":"Final: stopped by `cancel_task`. Asking for its result answers the error `canceled`.","timed_out":"Final: it passed its deadline. Asking for its result answers the error `timeout`."}};

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate48.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((((data === "submitted") || (data === "working")) || (data === "success")) || (data === "error")) || (data === "canceled")) || (data === "timed_out"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema79.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate48.errors = vErrors;
return errors === 0;
}
validate48.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isBusId: Validator<Types.BusId> = validate49 as never;

function validate49(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate49.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 255){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
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
validate49.errors = vErrors;
return errors === 0;
}
validate49.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isTimestamp: Validator<Types.Timestamp> = validate50 as never;

function validate50(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate50.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern4.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
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
validate50.errors = vErrors;
return errors === 0;
}
validate50.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentName: Validator<Types.AgentName> = validate51 as never;

function validate51(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate51.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern7.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
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
validate51.errors = vErrors;
return errors === 0;
}
validate51.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentErrorKind: Validator<Types.AgentErrorKind> = validate52 as never;

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((((((((((((((((((((((((((data === "invalid_task") || (data === "unknown_agent")) || (data === "agent_disabled")) || (data === "protocol_unsupported")) || (data === "address_refused")) || (data === "redirect_refused")) || (data === "secret_unavailable")) || (data === "unreachable")) || (data === "call_timeout")) || (data === "deadline_exceeded")) || (data === "http_error")) || (data === "http_unavailable")) || (data === "rate_limited")) || (data === "unauthorized")) || (data === "response_too_large")) || (data === "not_json")) || (data === "invalid_envelope")) || (data === "invalid_response")) || (data === "rpc_error")) || (data === "rpc_unavailable")) || (data === "task_failed")) || (data === "task_canceled")) || (data === "task_rejected")) || (data === "task_state_unknown")) || (data === "input_required")) || (data === "auth_required")) || (data === "circuit_open")) || (data === "canceled")) || (data === "internal"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema56.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isSecretReference: Validator<Types.SecretReference> = validate53 as never;
const schema84 = {"title":"SecretReference","description":"Where a secret is found, never the secret itself: an environment variable, or a file of the secrets folder.","type":"string","pattern":"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"};
const pattern15 = new RegExp("^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$", "u");

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern15.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
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
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isContextId: Validator<Types.ContextId> = validate54 as never;

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern6.test(data)){
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
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentTaskId: Validator<Types.AgentTaskId> = validate55 as never;

function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 1024){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
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
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isTaskFileId: Validator<Types.TaskFileId> = validate56 as never;
const schema87 = {"title":"TaskFileId","description":"Names a file of a task's answer, unique within the task.","type":"string","minLength":1,"maxLength":64};

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 64){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
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
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcError: Validator<Types.JsonRpcError> = validate57 as never;
const schema88 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/error.schema.json","title":"JsonRpcError","description":"An error object. JSON-RPC 2.0, section 5.1.","type":"object","required":["code","message"],"properties":{"code":{"type":"integer"},"message":{"type":"string"},"data":{}},"additionalProperties":false};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/error.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate57.evaluated;
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
const errorsBefore40 = errors;
for(const key0 in data){
if(errors - errorsBefore40 >= 20) break;
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
validate57.errors = vErrors;
return errors === 0;
}
validate57.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcId: Validator<Types.JsonRpcId> = validate58 as never;
const schema89 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/id.schema.json","title":"JsonRpcId","description":"Links a response to its request. JSON-RPC 2.0, section 4.","type":["string","number","null"]};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/id.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(((typeof data !== "string") && (!((typeof data == "number") && (isFinite(data))))) && (data !== null)){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema89.type},message:"must be string,number,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isParamProblem: Validator<Types.ParamProblem> = validate59 as never;
const schema90 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/param-problem.schema.json","title":"ParamProblem","description":"One thing that is wrong with a value, and where.","type":"object","required":["pointer","message"],"properties":{"pointer":{"type":"string","description":"RFC 6901 pointer, e.g. /channel."},"message":{"type":"string"}},"additionalProperties":false};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/param-problem.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.pointer === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
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
const errorsBefore41 = errors;
for(const key0 in data){
if(errors - errorsBefore41 >= 20) break;
if(!((key0 === "pointer") || (key0 === "message"))){
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
if(data.pointer !== undefined){
if(typeof data.pointer !== "string"){
const err3 = {instancePath:instancePath+"/pointer",schemaPath:"#/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcRequest: Validator<Types.JsonRpcRequest> = validate60 as never;
const schema91 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/request.schema.json","title":"JsonRpcRequest","description":"A request object; without `id` it is a notification. JSON-RPC 2.0, section 4.","type":"object","required":["jsonrpc","method"],"properties":{"jsonrpc":{"const":"2.0"},"method":{"type":"string","description":"Names that begin with `rpc.` are reserved by the specification."},"params":{"type":["object","array"]},"id":{"$ref":"id.schema.json"}}};

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
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
const err4 = {instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: schema91.properties.params.type},message:"must be object,array"};
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
const err5 = {instancePath:instancePath+"/id",schemaPath:"id.schema.json/type",keyword:"type",params:{type: schema89.type},message:"must be string,number,null"};
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
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"props":{"jsonrpc":true,"method":true,"params":true,"id":true},"dynamicProps":false,"dynamicItems":false};

export const isJsonRpcResponse: Validator<Types.JsonRpcResponse> = validate61 as never;
const schema93 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/response.schema.json","title":"JsonRpcResponse","description":"A response object: exactly one of result and error. JSON-RPC 2.0, section 5.","oneOf":[{"title":"JsonRpcSuccess","type":"object","required":["jsonrpc","result","id"],"properties":{"jsonrpc":{"const":"2.0"},"result":{},"id":{"$ref":"id.schema.json"}},"additionalProperties":false},{"title":"JsonRpcFailure","type":"object","required":["jsonrpc","error","id"],"properties":{"jsonrpc":{"const":"2.0"},"error":{"$ref":"error.schema.json"},"id":{"$ref":"id.schema.json"}},"additionalProperties":false}]};

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/response.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
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
const errorsBefore42 = errors;
for(const key0 in data){
if(errors - errorsBefore42 >= 20) break;
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
const err5 = {instancePath:instancePath+"/id",schemaPath:"id.schema.json/type",keyword:"type",params:{type: schema89.type},message:"must be string,number,null"};
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
const errorsBefore43 = errors;
for(const key1 in data){
if(errors - errorsBefore43 >= 20) break;
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
const errorsBefore44 = errors;
for(const key2 in data3){
if(errors - errorsBefore44 >= 20) break;
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
const err18 = {instancePath:instancePath+"/id",schemaPath:"id.schema.json/type",keyword:"type",params:{type: schema89.type},message:"must be string,number,null"};
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
validate61.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate61.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isZoneErrorData: Validator<Types.ZoneErrorData> = validate62 as never;
const schema97 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/zone-error-data.schema.json","title":"ZoneErrorData","description":"The `data` of every error on the zone link. Clients decide by `kind` and `retryable`, never by `message`.","type":"object","required":["kind","retryable","correlation_id"],"properties":{"kind":{"$ref":"../common.schema.json#/$defs/ErrorKind"},"retryable":{"type":"boolean"},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"retry_after_ms":{"type":"integer","minimum":0,"description":"How long to wait before the next try, milliseconds."},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"agent":{"type":"string"},"problems":{"type":"array","description":"What is wrong: with invalid_params, each at a JSON pointer into `params`; with what is no request at all, one sentence at the pointer of the whole.","items":{"$ref":"param-problem.schema.json"}},"progress":{"$ref":"../task/task-progress.schema.json","description":"How far a task that is done in steps had come when it failed: the steps, and how each ended."},"failed_run":{"$ref":"../task/failed-run.schema.json","description":"Of a task that is the run of a workflow: which step it was, and why."},"agent_says":{"type":"string","maxLength":2000,"description":"What the agent said about its failure, in its own words. Untrusted text."},"owner_detail":{"type":"string","maxLength":2000,"description":"What went wrong, for the person who runs the agent. Sent in development only."}}};
const schema102 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-progress.schema.json","title":"TaskProgress","description":"How far a task has come: its steps, or what the agent says it is doing.","type":"object","required":["revision","steps"],"properties":{"revision":{"type":"integer","minimum":1,"description":"One more with each change; `seen_progress` of the next poll, where 0 means that nothing was seen."},"steps":{"type":"array","maxItems":50,"items":{"title":"TaskStep","description":"One line of it.","type":"object","required":["id","title","state","depth"],"properties":{"id":{"type":"string","minLength":1},"title":{"type":"string","minLength":1,"maxLength":255,"description":"For people."},"state":{"$ref":"../workflow/members.schema.json#/$defs/StepState"},"depth":{"type":"integer","minimum":0,"description":"How many steps are around it."},"done":{"type":"integer","minimum":0,"description":"Of a step that is done several times: how often it was."},"total":{"type":"integer","minimum":0}}},"description":"In order; only the first when there are more. Empty for a task without steps."},"more":{"type":"integer","minimum":1,"description":"How many steps are left out."},"text":{"type":"string","maxLength":500,"description":"What the agent says it is doing, in its own words."}}};
const schema104 = {"title":"StepState","enum":["pending","running","succeeded","failed","canceled","skipped"],"x-meanings":{"pending":"Waits for its turn.","running":"Under way.","succeeded":"It has its output.","failed":"`error` says why.","canceled":"Stopped before it ended: by whoever canceled the run, or as it was not needed any more.","skipped":"The run went another way."},"description":"Where one step of a run stands."};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-progress.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.revision === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.steps === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "steps"},message:"must have required property '"+"steps"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.revision !== undefined){
let data0 = data.revision;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err2 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 1 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.steps !== undefined){
let data1 = data.steps;
if(Array.isArray(data1)){
if(data1.length > 50){
const err4 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const len0 = data1.length;
const errorsBefore13 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore13 < 20; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.id === undefined){
const err5 = {instancePath:instancePath+"/steps/" + i0,schemaPath:"#/properties/steps/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.title === undefined){
const err6 = {instancePath:instancePath+"/steps/" + i0,schemaPath:"#/properties/steps/items/required",keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data2.state === undefined){
const err7 = {instancePath:instancePath+"/steps/" + i0,schemaPath:"#/properties/steps/items/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2.depth === undefined){
const err8 = {instancePath:instancePath+"/steps/" + i0,schemaPath:"#/properties/steps/items/required",keyword:"required",params:{missingProperty: "depth"},message:"must have required property '"+"depth"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data2.id !== undefined){
let data3 = data2.id;
if(typeof data3 === "string"){
if(func1(data3) < 1){
const err9 = {instancePath:instancePath+"/steps/" + i0+"/id",schemaPath:"#/properties/steps/items/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/steps/" + i0+"/id",schemaPath:"#/properties/steps/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data2.title !== undefined){
let data4 = data2.title;
if(typeof data4 === "string"){
if(func1(data4) > 255){
const err11 = {instancePath:instancePath+"/steps/" + i0+"/title",schemaPath:"#/properties/steps/items/properties/title/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(func1(data4) < 1){
const err12 = {instancePath:instancePath+"/steps/" + i0+"/title",schemaPath:"#/properties/steps/items/properties/title/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/steps/" + i0+"/title",schemaPath:"#/properties/steps/items/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data2.state !== undefined){
let data5 = data2.state;
if(!((((((data5 === "pending") || (data5 === "running")) || (data5 === "succeeded")) || (data5 === "failed")) || (data5 === "canceled")) || (data5 === "skipped"))){
const err14 = {instancePath:instancePath+"/steps/" + i0+"/state",schemaPath:"../workflow/members.schema.json#/$defs/StepState/enum",keyword:"enum",params:{allowedValues: schema104.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data2.depth !== undefined){
let data6 = data2.depth;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err15 = {instancePath:instancePath+"/steps/" + i0+"/depth",schemaPath:"#/properties/steps/items/properties/depth/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
const err16 = {instancePath:instancePath+"/steps/" + i0+"/depth",schemaPath:"#/properties/steps/items/properties/depth/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data2.done !== undefined){
let data7 = data2.done;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err17 = {instancePath:instancePath+"/steps/" + i0+"/done",schemaPath:"#/properties/steps/items/properties/done/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
const err18 = {instancePath:instancePath+"/steps/" + i0+"/done",schemaPath:"#/properties/steps/items/properties/done/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data2.total !== undefined){
let data8 = data2.total;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err19 = {instancePath:instancePath+"/steps/" + i0+"/total",schemaPath:"#/properties/steps/items/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err20 = {instancePath:instancePath+"/steps/" + i0+"/total",schemaPath:"#/properties/steps/items/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err21 = {instancePath:instancePath+"/steps/" + i0,schemaPath:"#/properties/steps/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.more !== undefined){
let data9 = data.more;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err23 = {instancePath:instancePath+"/more",schemaPath:"#/properties/more/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 1 || isNaN(data9)){
const err24 = {instancePath:instancePath+"/more",schemaPath:"#/properties/more/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
if(data.text !== undefined){
let data10 = data.text;
if(typeof data10 === "string"){
if(func1(data10) > 500){
const err25 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":{"revision":true,"steps":true,"more":true,"text":true},"dynamicProps":false,"dynamicItems":false};

const schema105 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/failed-run.schema.json","title":"FailedRun","description":"Where the run of a workflow failed, and why, as far as a person may be told.","type":"object","required":["workflow","reason"],"properties":{"workflow":{"$ref":"../workflow/members.schema.json#/$defs/WorkflowId"},"reason":{"$ref":"../workflow/members.schema.json#/$defs/RunProblemKind"},"step":{"type":"string","minLength":1,"maxLength":255,"description":"Title of the step that failed; absent when it was none of them."}}};
const schema106 = {"title":"WorkflowId","type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$","description":"Names a workflow; people write it, agents and workflows share one directory of names."};
const schema107 = {"title":"RunProblemKind","enum":["agent_failed","step_timed_out","run_timed_out","mapping_failed","condition_failed","collection_invalid","join_failed","step_failed","run_too_large","canceled","internal"],"x-meanings":{"agent_failed":"The agent said no or did not answer; `agent_error` has its own words.","step_timed_out":"The step passed its deadline.","run_timed_out":"The run passed its deadline.","mapping_failed":"A reference of the step's mapping leads nowhere, and it has no default.","condition_failed":"The condition could not be evaluated, or is neither true nor false.","collection_invalid":"What the loop runs over is no array, or longer than `max_iterations`.","join_failed":"Too few branches of the fork succeeded.","step_failed":"A step inside it failed.","run_too_large":"With what the step was to be given, what it put out, or what its agent said of a failure, the run would hold more than a run may.","canceled":"Somebody stopped it.","internal":"A fault of Crosszone; the log has it under the run's correlation id."},"description":"Why a run or a step of it failed, by name."};
const pattern18 = new RegExp("^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$", "u");

function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/failed-run.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflow === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow"},message:"must have required property '"+"workflow"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.reason === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "reason"},message:"must have required property '"+"reason"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.workflow !== undefined){
let data0 = data.workflow;
if(typeof data0 === "string"){
if(!pattern18.test(data0)){
const err2 = {instancePath:instancePath+"/workflow",schemaPath:"../workflow/members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
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
const err3 = {instancePath:instancePath+"/workflow",schemaPath:"../workflow/members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.reason !== undefined){
let data1 = data.reason;
if(!(((((((((((data1 === "agent_failed") || (data1 === "step_timed_out")) || (data1 === "run_timed_out")) || (data1 === "mapping_failed")) || (data1 === "condition_failed")) || (data1 === "collection_invalid")) || (data1 === "join_failed")) || (data1 === "step_failed")) || (data1 === "run_too_large")) || (data1 === "canceled")) || (data1 === "internal"))){
const err4 = {instancePath:instancePath+"/reason",schemaPath:"../workflow/members.schema.json#/$defs/RunProblemKind/enum",keyword:"enum",params:{allowedValues: schema107.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.step !== undefined){
let data2 = data.step;
if(typeof data2 === "string"){
if(func1(data2) > 255){
const err5 = {instancePath:instancePath+"/step",schemaPath:"#/properties/step/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(func1(data2) < 1){
const err6 = {instancePath:instancePath+"/step",schemaPath:"#/properties/step/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err7 = {instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"props":{"workflow":true,"reason":true,"step":true},"dynamicProps":false,"dynamicItems":false};


function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/zone-error-data.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
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
const err3 = {instancePath:instancePath+"/kind",schemaPath:"../common.schema.json#/$defs/ErrorKind/enum",keyword:"enum",params:{allowedValues: schema78.enum},message:"must be equal to one of the allowed values"};
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
if(!pattern6.test(data2)){
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
const errorsBefore14 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore14 < 20; i0++){
let data7 = data6[i0];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.pointer === undefined){
const err13 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"param-problem.schema.json/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data7.message === undefined){
const err14 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"param-problem.schema.json/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const errorsBefore45 = errors;
for(const key0 in data7){
if(errors - errorsBefore45 >= 20) break;
if(!((key0 === "pointer") || (key0 === "message"))){
const err15 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"param-problem.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
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
const err16 = {instancePath:instancePath+"/problems/" + i0+"/pointer",schemaPath:"param-problem.schema.json/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/problems/" + i0+"/message",schemaPath:"param-problem.schema.json/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err18 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"param-problem.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
if(data.progress !== undefined){
if(!(validate63(data.progress, {instancePath:instancePath+"/progress",parentData:data,parentDataProperty:"progress",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
if(data.failed_run !== undefined){
if(!(validate66(data.failed_run, {instancePath:instancePath+"/failed_run",parentData:data,parentDataProperty:"failed_run",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.agent_says !== undefined){
let data12 = data.agent_says;
if(typeof data12 === "string"){
if(func1(data12) > 2000){
const err20 = {instancePath:instancePath+"/agent_says",schemaPath:"#/properties/agent_says/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/agent_says",schemaPath:"#/properties/agent_says/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.owner_detail !== undefined){
let data13 = data.owner_detail;
if(typeof data13 === "string"){
if(func1(data13) > 2000){
const err22 = {instancePath:instancePath+"/owner_detail",schemaPath:"#/properties/owner_detail/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters"};
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
const err23 = {instancePath:instancePath+"/owner_detail",schemaPath:"#/properties/owner_detail/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"props":{"kind":true,"retryable":true,"correlation_id":true,"retry_after_ms":true,"task_id":true,"agent":true,"problems":true,"progress":true,"failed_run":true,"agent_says":true,"owner_detail":true},"dynamicProps":false,"dynamicItems":false};

export const isZoneRequest: Validator<Types.ZoneRequest> = validate68 as never;
const schema108 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/jsonrpc/zone-request.schema.json","title":"ZoneRequest","description":"What verification sends to execution: one request, params by name, a UUID as id. Never a batch, never a notification.","type":"object","required":["jsonrpc","method","params","id"],"properties":{"jsonrpc":{"const":"2.0"},"method":{"enum":["execute_task","get_async_task_result","cancel_task","list_agents","read_task_file"]},"params":{"type":"object"},"id":{"$ref":"../common.schema.json#/$defs/RequestId"}},"additionalProperties":false};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/jsonrpc/zone-request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
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
const errorsBefore46 = errors;
for(const key0 in data){
if(errors - errorsBefore46 >= 20) break;
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
if(!(((((data1 === "execute_task") || (data1 === "get_async_task_result")) || (data1 === "cancel_task")) || (data1 === "list_agents")) || (data1 === "read_task_file"))){
const err6 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/enum",keyword:"enum",params:{allowedValues: schema108.properties.method.enum},message:"must be equal to one of the allowed values"};
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
if(!pattern12.test(data3)){
const err8 = {instancePath:instancePath+"/id",schemaPath:"../common.schema.json#/$defs/RequestId/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"},message:"must match pattern \""+"^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"+"\""};
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
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAgentAuditEntry: Validator<Types.AgentAuditEntry> = validate69 as never;
const schema110 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-audit-entry.schema.json","title":"AgentAuditEntry","description":"One change of an agent: who, when and what. Secrets are not in it: settings have only their names.","type":"object","required":["action","revision","at","actor","correlation_id","before","after"],"properties":{"action":{"enum":["created","updated","disabled","enabled","deleted"]},"revision":{"type":"integer","minimum":1,"description":"What the agent has become; its last one when it was deleted."},"at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"actor":{"type":"string","minLength":1,"description":"A token of an admin, by its digest, or a file of agents."},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"before":{"oneOf":[{"$ref":"agent-settings.schema.json"},{"type":"null"}]},"after":{"oneOf":[{"$ref":"agent-settings.schema.json"},{"type":"null"}]}}};
const schema113 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-settings.schema.json","title":"AgentSettings","description":"An agent as an admin writes it. What is left out gets its default.","type":"object","required":["name","url"],"properties":{"name":{"$ref":"../common.schema.json#/$defs/AgentName"},"url":{"$ref":"members.schema.json#/$defs/AgentUrl"},"description":{"$ref":"members.schema.json#/$defs/AgentDescription"},"protocol":{"$ref":"members.schema.json#/$defs/AgentProtocol"},"protocol_config":{"$ref":"agent-protocol-config.schema.json"},"auth":{"$ref":"agent-auth.schema.json"},"timeout_ms":{"$ref":"members.schema.json#/$defs/AgentTimeout"},"max_concurrency":{"$ref":"members.schema.json#/$defs/AgentConcurrency"},"retry":{"$ref":"agent-retry.schema.json"},"breaker":{"$ref":"agent-breaker.schema.json"},"enabled":{"type":"boolean","description":"Whether tasks are given to it."}},"additionalProperties":false};
const schema116 = {"title":"AgentUrl","description":"Where an agent is called, http or https. No credentials, no fragment.","type":"string","maxLength":2048,"pattern":"^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"};
const schema117 = {"title":"AgentDescription","description":"What the agent is good for, for people.","type":"string","maxLength":4000};
const schema118 = {"title":"AgentProtocol","description":"How Crosszone speaks with the agent: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.","type":"string","pattern":"^[a-z0-9][a-z0-9.-]{0,63}$"};
const schema130 = {"title":"AgentTimeout","description":"How long one call may take, milliseconds.","type":"integer","minimum":100,"maximum":3600000};
const schema131 = {"title":"AgentConcurrency","description":"How many calls one process may have under way at this agent.","type":"integer","minimum":1,"maximum":1000};
const schema132 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-retry.schema.json","title":"AgentRetry","description":"How often and how fast an agent is called again after a failure that may pass.","type":"object","required":["max_retries","base_ms","max_ms"],"properties":{"max_retries":{"type":"integer","minimum":0,"maximum":10,"description":"After the first call."},"base_ms":{"type":"integer","minimum":1,"maximum":60000,"description":"The first pause, milliseconds; each next one may be twice as long."},"max_ms":{"type":"integer","minimum":1,"maximum":600000,"description":"The longest pause, milliseconds."}},"additionalProperties":false};
const schema133 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-breaker.schema.json","title":"AgentBreaker","description":"When an agent that keeps failing is left alone, and for how long.","type":"object","required":["failures","open_ms"],"properties":{"failures":{"type":"integer","minimum":1,"maximum":1000,"description":"So many in a row."},"open_ms":{"type":"integer","minimum":100,"maximum":600000,"description":"Until the next call is tried, milliseconds."}},"additionalProperties":false};
const func58 = Object.prototype.hasOwnProperty;
const pattern23 = new RegExp("^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$", "u");
const pattern24 = new RegExp("^[a-z0-9][a-z0-9.-]{0,63}$", "u");
const schema119 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-protocol-config.schema.json","title":"AgentProtocolConfig","description":"What an adapter wants to know of an agent beside its address.","type":"object","properties":{"method":{"$ref":"../a2a/v0.3/send-method.schema.json"},"version":{"const":"2.0","description":"Of JSON-RPC."}},"additionalProperties":false};

function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-protocol-config.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate72.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
const errorsBefore47 = errors;
for(const key0 in data){
if(errors - errorsBefore47 >= 20) break;
if(!((key0 === "method") || (key0 === "version"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.method !== undefined){
let data0 = data.method;
if(!(((data0 === "message/send") || (data0 === "tasks/send")) || (data0 === "agent/invoke"))){
const err1 = {instancePath:instancePath+"/method",schemaPath:"../a2a/v0.3/send-method.schema.json/enum",keyword:"enum",params:{allowedValues: schema37.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.version !== undefined){
if("2.0" !== data.version){
const err2 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/const",keyword:"const",params:{allowedValue: "2.0"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate72.errors = vErrors;
return errors === 0;
}
validate72.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema121 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-auth.schema.json","title":"AgentAuth","description":"How we show an agent who we are. Secrets are named, never written.","type":"object","discriminator":{"propertyName":"type"},"oneOf":[{"title":"AgentAuthNone","required":["type"],"properties":{"type":{"const":"none"}},"additionalProperties":false},{"title":"AgentAuthBearer","description":"`Authorization: Bearer`.","required":["type","token"],"properties":{"type":{"const":"bearer"},"token":{"$ref":"../common.schema.json#/$defs/SecretReference"}},"additionalProperties":false},{"title":"AgentAuthApiKey","required":["type","header","value"],"properties":{"type":{"const":"api_key"},"header":{"type":"string","pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$","description":"Name of the header that carries the key."},"value":{"$ref":"../common.schema.json#/$defs/SecretReference"}},"additionalProperties":false},{"title":"AgentAuthBasic","description":"`Authorization: Basic`.","required":["type","username","password"],"properties":{"type":{"const":"basic"},"username":{"type":"string","pattern":"^[^:\\x00-\\x1f\\x7f]{1,255}$","description":"No colon."},"password":{"$ref":"../common.schema.json#/$defs/SecretReference"}},"additionalProperties":false},{"title":"AgentAuthOAuth2ClientCredentials","description":"A token fetched with the client credentials of OAuth 2.0, RFC 6749, section 4.4.","required":["type","token_url","client_id","client_secret"],"properties":{"type":{"const":"oauth2_client_credentials"},"token_url":{"$ref":"members.schema.json#/$defs/AgentUrl"},"client_id":{"type":"string","minLength":1,"maxLength":255},"client_secret":{"$ref":"../common.schema.json#/$defs/SecretReference"},"scope":{"type":"string","description":"Separated by spaces."},"audience":{"type":"string"}},"additionalProperties":false},{"title":"AgentAuthMtls","description":"A client certificate, PEM.","required":["type","cert","key"],"properties":{"type":{"const":"mtls"},"cert":{"$ref":"../common.schema.json#/$defs/SecretReference"},"key":{"$ref":"../common.schema.json#/$defs/SecretReference"},"ca":{"$ref":"../common.schema.json#/$defs/SecretReference"}},"additionalProperties":false}]};
const pattern26 = new RegExp("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$", "u");
const pattern28 = new RegExp("^[^:\\x00-\\x1f\\x7f]{1,255}$", "u");

function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-auth.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate74.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
const tag0 = data.type;
if(typeof tag0 == "string"){
if(tag0 === "none"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const errorsBefore48 = errors;
for(const key0 in data){
if(errors - errorsBefore48 >= 20) break;
if(!(key0 === "type")){
const err1 = {instancePath,schemaPath:"#/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.type !== undefined){
if("none" !== data.type){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/0/properties/type/const",keyword:"const",params:{allowedValue: "none"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
var props0 = true;
}
else if(tag0 === "bearer"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err3 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.token === undefined){
const err4 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "token"},message:"must have required property '"+"token"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const errorsBefore49 = errors;
for(const key1 in data){
if(errors - errorsBefore49 >= 20) break;
if(!((key1 === "type") || (key1 === "token"))){
const err5 = {instancePath,schemaPath:"#/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.type !== undefined){
if("bearer" !== data.type){
const err6 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/1/properties/type/const",keyword:"const",params:{allowedValue: "bearer"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.token !== undefined){
let data2 = data.token;
if(typeof data2 === "string"){
if(!pattern15.test(data2)){
const err7 = {instancePath:instancePath+"/token",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/token",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "api_key"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err9 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.header === undefined){
const err10 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "header"},message:"must have required property '"+"header"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.value === undefined){
const err11 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "value"},message:"must have required property '"+"value"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
const errorsBefore50 = errors;
for(const key2 in data){
if(errors - errorsBefore50 >= 20) break;
if(!(((key2 === "type") || (key2 === "header")) || (key2 === "value"))){
const err12 = {instancePath,schemaPath:"#/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.type !== undefined){
if("api_key" !== data.type){
const err13 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/2/properties/type/const",keyword:"const",params:{allowedValue: "api_key"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.header !== undefined){
let data4 = data.header;
if(typeof data4 === "string"){
if(!pattern26.test(data4)){
const err14 = {instancePath:instancePath+"/header",schemaPath:"#/oneOf/2/properties/header/pattern",keyword:"pattern",params:{pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$"},message:"must match pattern \""+"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/header",schemaPath:"#/oneOf/2/properties/header/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.value !== undefined){
let data5 = data.value;
if(typeof data5 === "string"){
if(!pattern15.test(data5)){
const err16 = {instancePath:instancePath+"/value",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/value",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "basic"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err18 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data.username === undefined){
const err19 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "username"},message:"must have required property '"+"username"+"'"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data.password === undefined){
const err20 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "password"},message:"must have required property '"+"password"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const errorsBefore51 = errors;
for(const key3 in data){
if(errors - errorsBefore51 >= 20) break;
if(!(((key3 === "type") || (key3 === "username")) || (key3 === "password"))){
const err21 = {instancePath,schemaPath:"#/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.type !== undefined){
if("basic" !== data.type){
const err22 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/3/properties/type/const",keyword:"const",params:{allowedValue: "basic"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.username !== undefined){
let data7 = data.username;
if(typeof data7 === "string"){
if(!pattern28.test(data7)){
const err23 = {instancePath:instancePath+"/username",schemaPath:"#/oneOf/3/properties/username/pattern",keyword:"pattern",params:{pattern: "^[^:\\x00-\\x1f\\x7f]{1,255}$"},message:"must match pattern \""+"^[^:\\x00-\\x1f\\x7f]{1,255}$"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/username",schemaPath:"#/oneOf/3/properties/username/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.password !== undefined){
let data8 = data.password;
if(typeof data8 === "string"){
if(!pattern15.test(data8)){
const err25 = {instancePath:instancePath+"/password",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/password",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "oauth2_client_credentials"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err27 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data.token_url === undefined){
const err28 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "token_url"},message:"must have required property '"+"token_url"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data.client_id === undefined){
const err29 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "client_id"},message:"must have required property '"+"client_id"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data.client_secret === undefined){
const err30 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "client_secret"},message:"must have required property '"+"client_secret"+"'"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
const errorsBefore52 = errors;
for(const key4 in data){
if(errors - errorsBefore52 >= 20) break;
if(!((((((key4 === "type") || (key4 === "token_url")) || (key4 === "client_id")) || (key4 === "client_secret")) || (key4 === "scope")) || (key4 === "audience"))){
const err31 = {instancePath,schemaPath:"#/oneOf/4/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.type !== undefined){
if("oauth2_client_credentials" !== data.type){
const err32 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/4/properties/type/const",keyword:"const",params:{allowedValue: "oauth2_client_credentials"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.token_url !== undefined){
let data10 = data.token_url;
if(typeof data10 === "string"){
if(func1(data10) > 2048){
const err33 = {instancePath:instancePath+"/token_url",schemaPath:"members.schema.json#/$defs/AgentUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(!pattern23.test(data10)){
const err34 = {instancePath:instancePath+"/token_url",schemaPath:"members.schema.json#/$defs/AgentUrl/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"},message:"must match pattern \""+"^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"+"\""};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/token_url",schemaPath:"members.schema.json#/$defs/AgentUrl/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.client_id !== undefined){
let data11 = data.client_id;
if(typeof data11 === "string"){
if(func1(data11) > 255){
const err36 = {instancePath:instancePath+"/client_id",schemaPath:"#/oneOf/4/properties/client_id/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(func1(data11) < 1){
const err37 = {instancePath:instancePath+"/client_id",schemaPath:"#/oneOf/4/properties/client_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/client_id",schemaPath:"#/oneOf/4/properties/client_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.client_secret !== undefined){
let data12 = data.client_secret;
if(typeof data12 === "string"){
if(!pattern15.test(data12)){
const err39 = {instancePath:instancePath+"/client_secret",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/client_secret",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data.scope !== undefined){
if(typeof data.scope !== "string"){
const err41 = {instancePath:instancePath+"/scope",schemaPath:"#/oneOf/4/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.audience !== undefined){
if(typeof data.audience !== "string"){
const err42 = {instancePath:instancePath+"/audience",schemaPath:"#/oneOf/4/properties/audience/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "mtls"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err43 = {instancePath,schemaPath:"#/oneOf/5/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data.cert === undefined){
const err44 = {instancePath,schemaPath:"#/oneOf/5/required",keyword:"required",params:{missingProperty: "cert"},message:"must have required property '"+"cert"+"'"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data.key === undefined){
const err45 = {instancePath,schemaPath:"#/oneOf/5/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
const errorsBefore53 = errors;
for(const key5 in data){
if(errors - errorsBefore53 >= 20) break;
if(!((((key5 === "type") || (key5 === "cert")) || (key5 === "key")) || (key5 === "ca"))){
const err46 = {instancePath,schemaPath:"#/oneOf/5/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.type !== undefined){
if("mtls" !== data.type){
const err47 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/5/properties/type/const",keyword:"const",params:{allowedValue: "mtls"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.cert !== undefined){
let data16 = data.cert;
if(typeof data16 === "string"){
if(!pattern15.test(data16)){
const err48 = {instancePath:instancePath+"/cert",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
else {
const err49 = {instancePath:instancePath+"/cert",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data.key !== undefined){
let data17 = data.key;
if(typeof data17 === "string"){
if(!pattern15.test(data17)){
const err50 = {instancePath:instancePath+"/key",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/key",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data.ca !== undefined){
let data18 = data.ca;
if(typeof data18 === "string"){
if(!pattern15.test(data18)){
const err52 = {instancePath:instancePath+"/ca",schemaPath:"../common.schema.json#/$defs/SecretReference/pattern",keyword:"pattern",params:{pattern: "^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"},message:"must match pattern \""+"^(env:AGENT_SECRET_[A-Z0-9_]+|file:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$"+"\""};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/ca",schemaPath:"../common.schema.json#/$defs/SecretReference/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
if(props0 !== true){
props0 = true;
}
}
else {
const err54 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag0},message:"value of tag \"type\" must be in oneOf"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else {
const err55 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag0},message:"tag \"type\" must be string"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
else {
const err56 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
validate74.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate74.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-settings.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate70.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.url === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const errorsBefore54 = errors;
for(const key0 in data){
if(errors - errorsBefore54 >= 20) break;
if(!(func58.call(schema113.properties, key0))){
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
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(!pattern7.test(data0)){
const err3 = {instancePath:instancePath+"/name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
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
const err4 = {instancePath:instancePath+"/name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.url !== undefined){
let data1 = data.url;
if(typeof data1 === "string"){
if(func1(data1) > 2048){
const err5 = {instancePath:instancePath+"/url",schemaPath:"members.schema.json#/$defs/AgentUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!pattern23.test(data1)){
const err6 = {instancePath:instancePath+"/url",schemaPath:"members.schema.json#/$defs/AgentUrl/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"},message:"must match pattern \""+"^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"+"\""};
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
const err7 = {instancePath:instancePath+"/url",schemaPath:"members.schema.json#/$defs/AgentUrl/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.description !== undefined){
let data2 = data.description;
if(typeof data2 === "string"){
if(func1(data2) > 4000){
const err8 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/AgentDescription/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
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
const err9 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/AgentDescription/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.protocol !== undefined){
let data3 = data.protocol;
if(typeof data3 === "string"){
if(!pattern24.test(data3)){
const err10 = {instancePath:instancePath+"/protocol",schemaPath:"members.schema.json#/$defs/AgentProtocol/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9.-]{0,63}$"},message:"must match pattern \""+"^[a-z0-9][a-z0-9.-]{0,63}$"+"\""};
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
const err11 = {instancePath:instancePath+"/protocol",schemaPath:"members.schema.json#/$defs/AgentProtocol/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.protocol_config !== undefined){
if(!(validate72(data.protocol_config, {instancePath:instancePath+"/protocol_config",parentData:data,parentDataProperty:"protocol_config",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
errors = vErrors.length;
}
}
if(data.auth !== undefined){
if(!(validate74(data.auth, {instancePath:instancePath+"/auth",parentData:data,parentDataProperty:"auth",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
}
if(data.timeout_ms !== undefined){
let data6 = data.timeout_ms;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err12 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/AgentTimeout/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 3600000 || isNaN(data6)){
const err13 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/AgentTimeout/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600000},message:"must be <= 3600000"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data6 < 100 || isNaN(data6)){
const err14 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/AgentTimeout/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data.max_concurrency !== undefined){
let data7 = data.max_concurrency;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err15 = {instancePath:instancePath+"/max_concurrency",schemaPath:"members.schema.json#/$defs/AgentConcurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 1000 || isNaN(data7)){
const err16 = {instancePath:instancePath+"/max_concurrency",schemaPath:"members.schema.json#/$defs/AgentConcurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data7 < 1 || isNaN(data7)){
const err17 = {instancePath:instancePath+"/max_concurrency",schemaPath:"members.schema.json#/$defs/AgentConcurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.retry !== undefined){
let data8 = data.retry;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.max_retries === undefined){
const err18 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/required",keyword:"required",params:{missingProperty: "max_retries"},message:"must have required property '"+"max_retries"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data8.base_ms === undefined){
const err19 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/required",keyword:"required",params:{missingProperty: "base_ms"},message:"must have required property '"+"base_ms"+"'"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data8.max_ms === undefined){
const err20 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/required",keyword:"required",params:{missingProperty: "max_ms"},message:"must have required property '"+"max_ms"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const errorsBefore55 = errors;
for(const key1 in data8){
if(errors - errorsBefore55 >= 20) break;
if(!(((key1 === "max_retries") || (key1 === "base_ms")) || (key1 === "max_ms"))){
const err21 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data8.max_retries !== undefined){
let data9 = data8.max_retries;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err22 = {instancePath:instancePath+"/retry/max_retries",schemaPath:"agent-retry.schema.json/properties/max_retries/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 10 || isNaN(data9)){
const err23 = {instancePath:instancePath+"/retry/max_retries",schemaPath:"agent-retry.schema.json/properties/max_retries/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10},message:"must be <= 10"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data9 < 0 || isNaN(data9)){
const err24 = {instancePath:instancePath+"/retry/max_retries",schemaPath:"agent-retry.schema.json/properties/max_retries/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
if(data8.base_ms !== undefined){
let data10 = data8.base_ms;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err25 = {instancePath:instancePath+"/retry/base_ms",schemaPath:"agent-retry.schema.json/properties/base_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 60000 || isNaN(data10)){
const err26 = {instancePath:instancePath+"/retry/base_ms",schemaPath:"agent-retry.schema.json/properties/base_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data10 < 1 || isNaN(data10)){
const err27 = {instancePath:instancePath+"/retry/base_ms",schemaPath:"agent-retry.schema.json/properties/base_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
if(data8.max_ms !== undefined){
let data11 = data8.max_ms;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err28 = {instancePath:instancePath+"/retry/max_ms",schemaPath:"agent-retry.schema.json/properties/max_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 600000 || isNaN(data11)){
const err29 = {instancePath:instancePath+"/retry/max_ms",schemaPath:"agent-retry.schema.json/properties/max_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000},message:"must be <= 600000"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data11 < 1 || isNaN(data11)){
const err30 = {instancePath:instancePath+"/retry/max_ms",schemaPath:"agent-retry.schema.json/properties/max_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
}
else {
const err31 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.breaker !== undefined){
let data12 = data.breaker;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.failures === undefined){
const err32 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/required",keyword:"required",params:{missingProperty: "failures"},message:"must have required property '"+"failures"+"'"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data12.open_ms === undefined){
const err33 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/required",keyword:"required",params:{missingProperty: "open_ms"},message:"must have required property '"+"open_ms"+"'"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
const errorsBefore56 = errors;
for(const key2 in data12){
if(errors - errorsBefore56 >= 20) break;
if(!((key2 === "failures") || (key2 === "open_ms"))){
const err34 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data12.failures !== undefined){
let data13 = data12.failures;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err35 = {instancePath:instancePath+"/breaker/failures",schemaPath:"agent-breaker.schema.json/properties/failures/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 1000 || isNaN(data13)){
const err36 = {instancePath:instancePath+"/breaker/failures",schemaPath:"agent-breaker.schema.json/properties/failures/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err37 = {instancePath:instancePath+"/breaker/failures",schemaPath:"agent-breaker.schema.json/properties/failures/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
if(data12.open_ms !== undefined){
let data14 = data12.open_ms;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err38 = {instancePath:instancePath+"/breaker/open_ms",schemaPath:"agent-breaker.schema.json/properties/open_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 600000 || isNaN(data14)){
const err39 = {instancePath:instancePath+"/breaker/open_ms",schemaPath:"agent-breaker.schema.json/properties/open_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000},message:"must be <= 600000"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data14 < 100 || isNaN(data14)){
const err40 = {instancePath:instancePath+"/breaker/open_ms",schemaPath:"agent-breaker.schema.json/properties/open_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
}
else {
const err41 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.enabled !== undefined){
if(typeof data.enabled !== "boolean"){
const err42 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}
validate70.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-audit-entry.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.action === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "action"},message:"must have required property '"+"action"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.revision === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.at === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.actor === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "actor"},message:"must have required property '"+"actor"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.correlation_id === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.before === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "before"},message:"must have required property '"+"before"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.after === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "after"},message:"must have required property '"+"after"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.action !== undefined){
let data0 = data.action;
if(!(((((data0 === "created") || (data0 === "updated")) || (data0 === "disabled")) || (data0 === "enabled")) || (data0 === "deleted"))){
const err7 = {instancePath:instancePath+"/action",schemaPath:"#/properties/action/enum",keyword:"enum",params:{allowedValues: schema110.properties.action.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.revision !== undefined){
let data1 = data.revision;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err8 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
const err9 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.at !== undefined){
let data2 = data.at;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err10 = {instancePath:instancePath+"/at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
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
const err11 = {instancePath:instancePath+"/at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.actor !== undefined){
let data3 = data.actor;
if(typeof data3 === "string"){
if(func1(data3) < 1){
const err12 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/actor",schemaPath:"#/properties/actor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data4 = data.correlation_id;
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
const err14 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.before !== undefined){
let data5 = data.before;
const _errs13 = errors;
let valid3 = false;
let passing0 = null;
const _errs14 = errors;
if(!(validate70(data5, {instancePath:instancePath+"/before",parentData:data,parentDataProperty:"before",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var _valid0 = _errs14 === errors;
if(_valid0){
valid3 = true;
passing0 = 0;
}
const _errs15 = errors;
if(data5 !== null){
const err16 = {instancePath:instancePath+"/before",schemaPath:"#/properties/before/oneOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid0 = _errs15 === errors;
if(_valid0 && valid3){
valid3 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid3 = true;
passing0 = 1;
}
}
if(!valid3){
const err17 = {instancePath:instancePath+"/before",schemaPath:"#/properties/before/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
else {
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
}
}
if(data.after !== undefined){
let data6 = data.after;
const _errs18 = errors;
let valid4 = false;
let passing1 = null;
const _errs19 = errors;
if(!(validate70(data6, {instancePath:instancePath+"/after",parentData:data,parentDataProperty:"after",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var _valid1 = _errs19 === errors;
if(_valid1){
valid4 = true;
passing1 = 0;
}
const _errs20 = errors;
if(data6 !== null){
const err18 = {instancePath:instancePath+"/after",schemaPath:"#/properties/after/oneOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid1 = _errs20 === errors;
if(_valid1 && valid4){
valid4 = false;
passing1 = [passing1, 1];
}
else {
if(_valid1){
valid4 = true;
passing1 = 1;
}
}
if(!valid4){
const err19 = {instancePath:instancePath+"/after",schemaPath:"#/properties/after/oneOf",keyword:"oneOf",params:{passingSchemas: passing1},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
else {
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
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
validate69.errors = vErrors;
return errors === 0;
}
validate69.evaluated = {"props":{"action":true,"revision":true,"at":true,"actor":true,"correlation_id":true,"before":true,"after":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentAuditList: Validator<Types.AgentAuditList> = validate78 as never;
const schema134 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-audit-list.schema.json","title":"AgentAuditList","description":"A page of what was done to the agents of one name, the latest first.","type":"object","required":["entries","total","limit","offset"],"properties":{"entries":{"type":"array","items":{"$ref":"agent-audit-entry.schema.json"}},"total":{"type":"integer","minimum":0,"description":"Changes on all pages."},"limit":{"type":"integer","minimum":1},"offset":{"type":"integer","minimum":0}}};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-audit-list.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.entries === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "entries"},message:"must have required property '"+"entries"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.total === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "total"},message:"must have required property '"+"total"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.limit === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "limit"},message:"must have required property '"+"limit"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.offset === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "offset"},message:"must have required property '"+"offset"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.entries !== undefined){
let data0 = data.entries;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore15 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore15 < 20; i0++){
if(!(validate69(data0[i0], {instancePath:instancePath+"/entries/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/entries",schemaPath:"#/properties/entries/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.total !== undefined){
let data2 = data.total;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err5 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err7 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.offset !== undefined){
let data4 = data.offset;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err10 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":{"entries":true,"total":true,"limit":true,"offset":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentAuth: Validator<Types.AgentAuth> = validate74 as never;

export const isAgentBreaker: Validator<Types.AgentBreaker> = validate80 as never;

function validate80(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-breaker.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate80.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.failures === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "failures"},message:"must have required property '"+"failures"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.open_ms === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "open_ms"},message:"must have required property '"+"open_ms"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const errorsBefore57 = errors;
for(const key0 in data){
if(errors - errorsBefore57 >= 20) break;
if(!((key0 === "failures") || (key0 === "open_ms"))){
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
if(data.failures !== undefined){
let data0 = data.failures;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err3 = {instancePath:instancePath+"/failures",schemaPath:"#/properties/failures/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 1000 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/failures",schemaPath:"#/properties/failures/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0 < 1 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/failures",schemaPath:"#/properties/failures/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.open_ms !== undefined){
let data1 = data.open_ms;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err6 = {instancePath:instancePath+"/open_ms",schemaPath:"#/properties/open_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 600000 || isNaN(data1)){
const err7 = {instancePath:instancePath+"/open_ms",schemaPath:"#/properties/open_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000},message:"must be <= 600000"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data1 < 100 || isNaN(data1)){
const err8 = {instancePath:instancePath+"/open_ms",schemaPath:"#/properties/open_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
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
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate80.errors = vErrors;
return errors === 0;
}
validate80.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAgentHealth: Validator<Types.AgentHealth> = validate81 as never;
const schema136 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-health.schema.json","title":"AgentHealth","description":"The result of a health probe of an agent.","type":"object","required":["name","status","checked_at","duration_ms"],"properties":{"name":{"$ref":"../common.schema.json#/$defs/AgentName"},"status":{"enum":["healthy","reachable","unhealthy"],"description":"`reachable`: the agent answers but has no agent card."},"checked_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"duration_ms":{"type":"number","minimum":0,"description":"Milliseconds."},"card":{"type":["object","null"],"description":"The agent card as the agent serves it, of A2A 0.3 or 1.0."},"problem":{"type":"string","description":"What is wrong and what to do."}}};

function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-health.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate81.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
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
if(data.checked_at === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checked_at"},message:"must have required property '"+"checked_at"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.duration_ms === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "duration_ms"},message:"must have required property '"+"duration_ms"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(!pattern7.test(data0)){
const err4 = {instancePath:instancePath+"/name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
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
const err5 = {instancePath:instancePath+"/name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(!(((data1 === "healthy") || (data1 === "reachable")) || (data1 === "unhealthy"))){
const err6 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema136.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.checked_at !== undefined){
let data2 = data.checked_at;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err7 = {instancePath:instancePath+"/checked_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/checked_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.duration_ms !== undefined){
let data3 = data.duration_ms;
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/duration_ms",schemaPath:"#/properties/duration_ms/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.card !== undefined){
let data4 = data.card;
if((!(data4 && typeof data4 == "object" && !Array.isArray(data4))) && (data4 !== null)){
const err11 = {instancePath:instancePath+"/card",schemaPath:"#/properties/card/type",keyword:"type",params:{type: schema136.properties.card.type},message:"must be object,null"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.problem !== undefined){
if(typeof data.problem !== "string"){
const err12 = {instancePath:instancePath+"/problem",schemaPath:"#/properties/problem/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate81.errors = vErrors;
return errors === 0;
}
validate81.evaluated = {"props":{"name":true,"status":true,"checked_at":true,"duration_ms":true,"card":true,"problem":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentList: Validator<Types.AgentList> = validate82 as never;
const schema139 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-list.schema.json","title":"AgentList","description":"A page of the registry, by name.","type":"object","required":["agents","total","limit","offset"],"properties":{"agents":{"type":"array","items":{"$ref":"agent-record.schema.json"}},"total":{"type":"integer","minimum":0,"description":"Agents that fit the question, on all pages."},"limit":{"type":"integer","minimum":1},"offset":{"type":"integer","minimum":0}}};
const schema140 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agent-record.schema.json","title":"AgentRecord","description":"An agent as the registry has it: every default filled in.","type":"object","required":["id","name","url","description","protocol","protocol_config","auth","timeout_ms","max_concurrency","retry","breaker","enabled","source","revision","created_at","updated_at"],"properties":{"id":{"type":"string","format":"uuid","pattern":"^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"},"name":{"$ref":"../common.schema.json#/$defs/AgentName"},"url":{"$ref":"members.schema.json#/$defs/AgentUrl"},"description":{"$ref":"members.schema.json#/$defs/AgentDescription"},"protocol":{"$ref":"members.schema.json#/$defs/AgentProtocol"},"protocol_config":{"$ref":"agent-protocol-config.schema.json"},"auth":{"$ref":"agent-auth.schema.json"},"timeout_ms":{"$ref":"members.schema.json#/$defs/AgentTimeout"},"max_concurrency":{"$ref":"members.schema.json#/$defs/AgentConcurrency"},"retry":{"$ref":"agent-retry.schema.json"},"breaker":{"$ref":"agent-breaker.schema.json"},"enabled":{"type":"boolean","description":"Whether tasks are given to it."},"source":{"enum":["api","file"],"description":"Who owns it: the registry's API, or the file of agents that is read at start."},"revision":{"type":"integer","minimum":1,"description":"One more with each change."},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"updated_at":{"$ref":"../common.schema.json#/$defs/Timestamp"}},"additionalProperties":false};

function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-record.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate83.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.url === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.description === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.protocol === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol"},message:"must have required property '"+"protocol"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.protocol_config === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol_config"},message:"must have required property '"+"protocol_config"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.auth === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "auth"},message:"must have required property '"+"auth"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.timeout_ms === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "timeout_ms"},message:"must have required property '"+"timeout_ms"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.max_concurrency === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "max_concurrency"},message:"must have required property '"+"max_concurrency"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.retry === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "retry"},message:"must have required property '"+"retry"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.breaker === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "breaker"},message:"must have required property '"+"breaker"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.enabled === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "enabled"},message:"must have required property '"+"enabled"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.source === undefined){
const err12 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source"},message:"must have required property '"+"source"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data.revision === undefined){
const err13 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data.created_at === undefined){
const err14 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data.updated_at === undefined){
const err15 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "updated_at"},message:"must have required property '"+"updated_at"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const errorsBefore58 = errors;
for(const key0 in data){
if(errors - errorsBefore58 >= 20) break;
if(!(func58.call(schema140.properties, key0))){
const err16 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err17 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"},message:"must match pattern \""+"^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"+"\""};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(!pattern7.test(data1)){
const err19 = {instancePath:instancePath+"/name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.url !== undefined){
let data2 = data.url;
if(typeof data2 === "string"){
if(func1(data2) > 2048){
const err21 = {instancePath:instancePath+"/url",schemaPath:"members.schema.json#/$defs/AgentUrl/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(!pattern23.test(data2)){
const err22 = {instancePath:instancePath+"/url",schemaPath:"members.schema.json#/$defs/AgentUrl/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"},message:"must match pattern \""+"^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"+"\""};
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
const err23 = {instancePath:instancePath+"/url",schemaPath:"members.schema.json#/$defs/AgentUrl/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.description !== undefined){
let data3 = data.description;
if(typeof data3 === "string"){
if(func1(data3) > 4000){
const err24 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/AgentDescription/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/AgentDescription/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.protocol !== undefined){
let data4 = data.protocol;
if(typeof data4 === "string"){
if(!pattern24.test(data4)){
const err26 = {instancePath:instancePath+"/protocol",schemaPath:"members.schema.json#/$defs/AgentProtocol/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9.-]{0,63}$"},message:"must match pattern \""+"^[a-z0-9][a-z0-9.-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/protocol",schemaPath:"members.schema.json#/$defs/AgentProtocol/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.protocol_config !== undefined){
if(!(validate72(data.protocol_config, {instancePath:instancePath+"/protocol_config",parentData:data,parentDataProperty:"protocol_config",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
errors = vErrors.length;
}
}
if(data.auth !== undefined){
if(!(validate74(data.auth, {instancePath:instancePath+"/auth",parentData:data,parentDataProperty:"auth",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
}
if(data.timeout_ms !== undefined){
let data7 = data.timeout_ms;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err28 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/AgentTimeout/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 3600000 || isNaN(data7)){
const err29 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/AgentTimeout/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600000},message:"must be <= 3600000"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data7 < 100 || isNaN(data7)){
const err30 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/AgentTimeout/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
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
if(data.max_concurrency !== undefined){
let data8 = data.max_concurrency;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err31 = {instancePath:instancePath+"/max_concurrency",schemaPath:"members.schema.json#/$defs/AgentConcurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 1000 || isNaN(data8)){
const err32 = {instancePath:instancePath+"/max_concurrency",schemaPath:"members.schema.json#/$defs/AgentConcurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data8 < 1 || isNaN(data8)){
const err33 = {instancePath:instancePath+"/max_concurrency",schemaPath:"members.schema.json#/$defs/AgentConcurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
if(data.retry !== undefined){
let data9 = data.retry;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.max_retries === undefined){
const err34 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/required",keyword:"required",params:{missingProperty: "max_retries"},message:"must have required property '"+"max_retries"+"'"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data9.base_ms === undefined){
const err35 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/required",keyword:"required",params:{missingProperty: "base_ms"},message:"must have required property '"+"base_ms"+"'"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data9.max_ms === undefined){
const err36 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/required",keyword:"required",params:{missingProperty: "max_ms"},message:"must have required property '"+"max_ms"+"'"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
const errorsBefore59 = errors;
for(const key1 in data9){
if(errors - errorsBefore59 >= 20) break;
if(!(((key1 === "max_retries") || (key1 === "base_ms")) || (key1 === "max_ms"))){
const err37 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data9.max_retries !== undefined){
let data10 = data9.max_retries;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err38 = {instancePath:instancePath+"/retry/max_retries",schemaPath:"agent-retry.schema.json/properties/max_retries/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 10 || isNaN(data10)){
const err39 = {instancePath:instancePath+"/retry/max_retries",schemaPath:"agent-retry.schema.json/properties/max_retries/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10},message:"must be <= 10"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data10 < 0 || isNaN(data10)){
const err40 = {instancePath:instancePath+"/retry/max_retries",schemaPath:"agent-retry.schema.json/properties/max_retries/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
if(data9.base_ms !== undefined){
let data11 = data9.base_ms;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err41 = {instancePath:instancePath+"/retry/base_ms",schemaPath:"agent-retry.schema.json/properties/base_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 60000 || isNaN(data11)){
const err42 = {instancePath:instancePath+"/retry/base_ms",schemaPath:"agent-retry.schema.json/properties/base_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data11 < 1 || isNaN(data11)){
const err43 = {instancePath:instancePath+"/retry/base_ms",schemaPath:"agent-retry.schema.json/properties/base_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
if(data9.max_ms !== undefined){
let data12 = data9.max_ms;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err44 = {instancePath:instancePath+"/retry/max_ms",schemaPath:"agent-retry.schema.json/properties/max_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 600000 || isNaN(data12)){
const err45 = {instancePath:instancePath+"/retry/max_ms",schemaPath:"agent-retry.schema.json/properties/max_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000},message:"must be <= 600000"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data12 < 1 || isNaN(data12)){
const err46 = {instancePath:instancePath+"/retry/max_ms",schemaPath:"agent-retry.schema.json/properties/max_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
}
else {
const err47 = {instancePath:instancePath+"/retry",schemaPath:"agent-retry.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.breaker !== undefined){
let data13 = data.breaker;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(data13.failures === undefined){
const err48 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/required",keyword:"required",params:{missingProperty: "failures"},message:"must have required property '"+"failures"+"'"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data13.open_ms === undefined){
const err49 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/required",keyword:"required",params:{missingProperty: "open_ms"},message:"must have required property '"+"open_ms"+"'"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
const errorsBefore60 = errors;
for(const key2 in data13){
if(errors - errorsBefore60 >= 20) break;
if(!((key2 === "failures") || (key2 === "open_ms"))){
const err50 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data13.failures !== undefined){
let data14 = data13.failures;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err51 = {instancePath:instancePath+"/breaker/failures",schemaPath:"agent-breaker.schema.json/properties/failures/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 1000 || isNaN(data14)){
const err52 = {instancePath:instancePath+"/breaker/failures",schemaPath:"agent-breaker.schema.json/properties/failures/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(data14 < 1 || isNaN(data14)){
const err53 = {instancePath:instancePath+"/breaker/failures",schemaPath:"agent-breaker.schema.json/properties/failures/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
if(data13.open_ms !== undefined){
let data15 = data13.open_ms;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err54 = {instancePath:instancePath+"/breaker/open_ms",schemaPath:"agent-breaker.schema.json/properties/open_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 600000 || isNaN(data15)){
const err55 = {instancePath:instancePath+"/breaker/open_ms",schemaPath:"agent-breaker.schema.json/properties/open_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000},message:"must be <= 600000"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data15 < 100 || isNaN(data15)){
const err56 = {instancePath:instancePath+"/breaker/open_ms",schemaPath:"agent-breaker.schema.json/properties/open_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
}
else {
const err57 = {instancePath:instancePath+"/breaker",schemaPath:"agent-breaker.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data.enabled !== undefined){
if(typeof data.enabled !== "boolean"){
const err58 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data.source !== undefined){
let data17 = data.source;
if(!((data17 === "api") || (data17 === "file"))){
const err59 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/enum",keyword:"enum",params:{allowedValues: schema140.properties.source.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data.revision !== undefined){
let data18 = data.revision;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err60 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 1 || isNaN(data18)){
const err61 = {instancePath:instancePath+"/revision",schemaPath:"#/properties/revision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
if(data.created_at !== undefined){
let data19 = data.created_at;
if(typeof data19 === "string"){
if(!pattern4.test(data19)){
const err62 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
else {
const err63 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data.updated_at !== undefined){
let data20 = data.updated_at;
if(typeof data20 === "string"){
if(!pattern4.test(data20)){
const err64 = {instancePath:instancePath+"/updated_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
else {
const err65 = {instancePath:instancePath+"/updated_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
}
else {
const err66 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
validate83.errors = vErrors;
return errors === 0;
}
validate83.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate82(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-list.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate82.evaluated;
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
if(data.total === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "total"},message:"must have required property '"+"total"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.limit === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "limit"},message:"must have required property '"+"limit"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.offset === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "offset"},message:"must have required property '"+"offset"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.agents !== undefined){
let data0 = data.agents;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore16 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore16 < 20; i0++){
if(!(validate83(data0[i0], {instancePath:instancePath+"/agents/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate83.errors : vErrors.concat(validate83.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.total !== undefined){
let data2 = data.total;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err5 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err7 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err8 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.offset !== undefined){
let data4 = data.offset;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err10 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate82.errors = vErrors;
return errors === 0;
}
validate82.evaluated = {"props":{"agents":true,"total":true,"limit":true,"offset":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentProtocolConfig: Validator<Types.AgentProtocolConfig> = validate72 as never;

export const isAgentRecord: Validator<Types.AgentRecord> = validate83 as never;

export const isAgentRetry: Validator<Types.AgentRetry> = validate87 as never;

function validate87(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agent-retry.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate87.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.max_retries === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "max_retries"},message:"must have required property '"+"max_retries"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.base_ms === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "base_ms"},message:"must have required property '"+"base_ms"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.max_ms === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "max_ms"},message:"must have required property '"+"max_ms"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const errorsBefore61 = errors;
for(const key0 in data){
if(errors - errorsBefore61 >= 20) break;
if(!(((key0 === "max_retries") || (key0 === "base_ms")) || (key0 === "max_ms"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.max_retries !== undefined){
let data0 = data.max_retries;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err4 = {instancePath:instancePath+"/max_retries",schemaPath:"#/properties/max_retries/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 10 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/max_retries",schemaPath:"#/properties/max_retries/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10},message:"must be <= 10"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err6 = {instancePath:instancePath+"/max_retries",schemaPath:"#/properties/max_retries/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.base_ms !== undefined){
let data1 = data.base_ms;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err7 = {instancePath:instancePath+"/base_ms",schemaPath:"#/properties/base_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 60000 || isNaN(data1)){
const err8 = {instancePath:instancePath+"/base_ms",schemaPath:"#/properties/base_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60000},message:"must be <= 60000"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err9 = {instancePath:instancePath+"/base_ms",schemaPath:"#/properties/base_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.max_ms !== undefined){
let data2 = data.max_ms;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err10 = {instancePath:instancePath+"/max_ms",schemaPath:"#/properties/max_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 600000 || isNaN(data2)){
const err11 = {instancePath:instancePath+"/max_ms",schemaPath:"#/properties/max_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600000},message:"must be <= 600000"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err12 = {instancePath:instancePath+"/max_ms",schemaPath:"#/properties/max_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate87.errors = vErrors;
return errors === 0;
}
validate87.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAgentSettings: Validator<Types.AgentSettings> = validate70 as never;

export const isAgentsFile: Validator<Types.AgentsFile> = validate88 as never;
const schema152 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/agents-file.schema.json","title":"AgentsFile","description":"The file that agents can be declared in.","type":"object","required":["agents"],"properties":{"agents":{"type":"array","items":{"$ref":"agent-settings.schema.json"}}},"additionalProperties":false};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/agents-file.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate88.evaluated;
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
const errorsBefore62 = errors;
for(const key0 in data){
if(errors - errorsBefore62 >= 20) break;
if(!(key0 === "agents")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.agents !== undefined){
let data0 = data.agents;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore17 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore17 < 20; i0++){
if(!(validate70(data0[i0], {instancePath:instancePath+"/agents/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate88.errors = vErrors;
return errors === 0;
}
validate88.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAgentUrl: Validator<Types.AgentUrl> = validate90 as never;

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate90.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 2048){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!pattern23.test(data)){
const err1 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"},message:"must match pattern \""+"^https?://[^\\x00-\\x20\\x7f-\\xa0/?#@\\\\]+([/?][^\\x00-\\x20\\x7f-\\xa0#\\\\]*)?$"+"\""};
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
validate90.errors = vErrors;
return errors === 0;
}
validate90.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentDescription: Validator<Types.AgentDescription> = validate91 as never;

function validate91(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate91.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 4000){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
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
validate91.errors = vErrors;
return errors === 0;
}
validate91.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentProtocol: Validator<Types.AgentProtocol> = validate92 as never;

function validate92(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate92.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern24.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9.-]{0,63}$"},message:"must match pattern \""+"^[a-z0-9][a-z0-9.-]{0,63}$"+"\""};
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
validate92.errors = vErrors;
return errors === 0;
}
validate92.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentTimeout: Validator<Types.AgentTimeout> = validate93 as never;

function validate93(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate93.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data == "number") && (isFinite(data))){
if(data > 3600000 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600000},message:"must be <= 3600000"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data < 100 || isNaN(data)){
const err2 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
validate93.errors = vErrors;
return errors === 0;
}
validate93.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isAgentConcurrency: Validator<Types.AgentConcurrency> = validate94 as never;

function validate94(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate94.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data == "number") && (isFinite(data))){
if(data > 1000 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data < 1 || isNaN(data)){
const err2 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
validate94.errors = vErrors;
return errors === 0;
}
validate94.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isProblem: Validator<Types.Problem> = validate95 as never;
const schema158 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/registry/problem.schema.json","title":"Problem","description":"Why a request to the API failed. RFC 9457.","type":"object","required":["type","title","status"],"properties":{"type":{"type":"string","description":"A URI that names the kind of problem."},"title":{"type":"string","minLength":1,"description":"The same for every problem of this kind."},"status":{"type":"integer","minimum":400,"maximum":599,"description":"The HTTP status."},"detail":{"type":"string","description":"What is wrong with this request."},"instance":{"type":"string","description":"A URI that names this occurrence."},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"problems":{"type":"array","description":"What is wrong with the body, each at a JSON pointer.","items":{"$ref":"../jsonrpc/param-problem.schema.json"}}}};

function validate95(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/registry/problem.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate95.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.status === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.title !== undefined){
let data1 = data.title;
if(typeof data1 === "string"){
if(func1(data1) < 1){
const err4 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err5 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.status !== undefined){
let data2 = data.status;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err6 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 599 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599},message:"must be <= 599"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2 < 400 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 400},message:"must be >= 400"};
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
if(data.detail !== undefined){
if(typeof data.detail !== "string"){
const err9 = {instancePath:instancePath+"/detail",schemaPath:"#/properties/detail/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.instance !== undefined){
if(typeof data.instance !== "string"){
const err10 = {instancePath:instancePath+"/instance",schemaPath:"#/properties/instance/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data5 = data.correlation_id;
if(typeof data5 === "string"){
if(!pattern6.test(data5)){
const err11 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const errorsBefore18 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore18 < 20; i0++){
let data7 = data6[i0];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.pointer === undefined){
const err13 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data7.message === undefined){
const err14 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const errorsBefore63 = errors;
for(const key0 in data7){
if(errors - errorsBefore63 >= 20) break;
if(!((key0 === "pointer") || (key0 === "message"))){
const err15 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
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
const err16 = {instancePath:instancePath+"/problems/" + i0+"/pointer",schemaPath:"../jsonrpc/param-problem.schema.json/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/problems/" + i0+"/message",schemaPath:"../jsonrpc/param-problem.schema.json/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err18 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validate95.errors = vErrors;
return errors === 0;
}
validate95.evaluated = {"props":{"type":true,"title":true,"status":true,"detail":true,"instance":true,"correlation_id":true,"problems":true},"dynamicProps":false,"dynamicItems":false};

export const isSimpleA2ARequest: Validator<Types.SimpleA2ARequest> = validate96 as never;
const schema161 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/simple-a2a/request.schema.json","title":"SimpleA2ARequest","description":"A task for an agent of the older protocol. `input` is any JSON value.","type":"object","required":["task_id","input"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/BusId"},"input":{}}};

function validate96(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/simple-a2a/request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate96.evaluated;
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
if(data.input === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
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
if(func1(data0) > 255){
const err2 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(func1(data0) < 1){
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err4 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
validate96.errors = vErrors;
return errors === 0;
}
validate96.evaluated = {"props":{"task_id":true,"input":true},"dynamicProps":false,"dynamicItems":false};

export const isSimpleA2AResponse: Validator<Types.SimpleA2AResponse> = validate97 as never;
const schema163 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/simple-a2a/response.schema.json","title":"SimpleA2AResponse","description":"The answer of an agent of the older protocol. `output` and `error` are any JSON value.","type":"object","required":["status"],"properties":{"task_id":{"type":"string","description":"That of the request; another one is only worth a warning."},"status":{"enum":["success","error"]},"output":{},"error":{}}};

function validate97(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/simple-a2a/response.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate97.evaluated;
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
if(data.task_id !== undefined){
if(typeof data.task_id !== "string"){
const err1 = {instancePath:instancePath+"/task_id",schemaPath:"#/properties/task_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(!((data1 === "success") || (data1 === "error"))){
const err2 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema163.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate97.errors = vErrors;
return errors === 0;
}
validate97.evaluated = {"props":{"task_id":true,"status":true,"output":true,"error":true},"dynamicProps":false,"dynamicItems":false};

export const isAgentCall: Validator<Types.AgentCall> = validate98 as never;
const schema164 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/agent-call.schema.json","title":"AgentCall","description":"One task given to one registered agent.","type":"object","required":["agent","state","created_at","deadline"],"properties":{"agent":{"type":"string","description":"Empty when the call was canceled before it was stored."},"state":{"enum":["open","succeeded","failed","canceled"],"x-meanings":{"open":"The call waits for the agent, or the agent works on it.","succeeded":"Final: the agent answered.","failed":"Final: `error_kind` says why.","canceled":"Final: stopped before the agent answered."}},"attempts":{"type":"integer","minimum":0,"description":"How often the agent was called. Present when the call has ended."},"remote_id":{"type":"string","description":"The agent's own id of the task. Present while the call is open, unless it is sealed."},"progress":{"type":"string","description":"What the agent last said it is doing. Present while the call is open, unless it is sealed. Untrusted text."},"error_kind":{"$ref":"../common.schema.json#/$defs/AgentErrorKind"},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"deadline":{"$ref":"../common.schema.json#/$defs/Timestamp"},"ended_at":{"$ref":"../common.schema.json#/$defs/Timestamp"}},"additionalProperties":false};

function validate98(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/agent-call.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate98.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent"},message:"must have required property '"+"agent"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.state === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.created_at === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.deadline === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "deadline"},message:"must have required property '"+"deadline"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore64 = errors;
for(const key0 in data){
if(errors - errorsBefore64 >= 20) break;
if(!(func58.call(schema164.properties, key0))){
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
if(data.agent !== undefined){
if(typeof data.agent !== "string"){
const err5 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.state !== undefined){
let data1 = data.state;
if(!((((data1 === "open") || (data1 === "succeeded")) || (data1 === "failed")) || (data1 === "canceled"))){
const err6 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/enum",keyword:"enum",params:{allowedValues: schema164.properties.state.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.attempts !== undefined){
let data2 = data.attempts;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.remote_id !== undefined){
if(typeof data.remote_id !== "string"){
const err9 = {instancePath:instancePath+"/remote_id",schemaPath:"#/properties/remote_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.progress !== undefined){
if(typeof data.progress !== "string"){
const err10 = {instancePath:instancePath+"/progress",schemaPath:"#/properties/progress/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.error_kind !== undefined){
let data5 = data.error_kind;
if(!(((((((((((((((((((((((((((((data5 === "invalid_task") || (data5 === "unknown_agent")) || (data5 === "agent_disabled")) || (data5 === "protocol_unsupported")) || (data5 === "address_refused")) || (data5 === "redirect_refused")) || (data5 === "secret_unavailable")) || (data5 === "unreachable")) || (data5 === "call_timeout")) || (data5 === "deadline_exceeded")) || (data5 === "http_error")) || (data5 === "http_unavailable")) || (data5 === "rate_limited")) || (data5 === "unauthorized")) || (data5 === "response_too_large")) || (data5 === "not_json")) || (data5 === "invalid_envelope")) || (data5 === "invalid_response")) || (data5 === "rpc_error")) || (data5 === "rpc_unavailable")) || (data5 === "task_failed")) || (data5 === "task_canceled")) || (data5 === "task_rejected")) || (data5 === "task_state_unknown")) || (data5 === "input_required")) || (data5 === "auth_required")) || (data5 === "circuit_open")) || (data5 === "canceled")) || (data5 === "internal"))){
const err11 = {instancePath:instancePath+"/error_kind",schemaPath:"../common.schema.json#/$defs/AgentErrorKind/enum",keyword:"enum",params:{allowedValues: schema56.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.created_at !== undefined){
let data6 = data.created_at;
if(typeof data6 === "string"){
if(!pattern4.test(data6)){
const err12 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.deadline !== undefined){
let data7 = data.deadline;
if(typeof data7 === "string"){
if(!pattern4.test(data7)){
const err14 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.ended_at !== undefined){
let data8 = data.ended_at;
if(typeof data8 === "string"){
if(!pattern4.test(data8)){
const err16 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err18 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
validate98.errors = vErrors;
return errors === 0;
}
validate98.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isAttachment: Validator<Types.Attachment> = validate99 as never;
const schema169 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/attachment.schema.json","title":"Attachment","description":"A file that came with the message. Described, not carried: contents are fetched through verification.","type":"object","properties":{"id":{"type":"string","description":"Slack's file id."},"name":{"type":"string"},"mime_type":{"type":"string"},"size":{"type":"integer","minimum":0,"description":"Bytes."},"url":{"type":"string","description":"Where the contents can be fetched."},"text":{"type":"string","description":"The contents, when they are text that the sender chose to carry."}}};

function validate99(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/attachment.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate99.evaluated;
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
validate99.errors = vErrors;
return errors === 0;
}
validate99.evaluated = {"props":{"id":true,"name":true,"mime_type":true,"size":true,"url":true,"text":true},"dynamicProps":false,"dynamicItems":false};

export const isCancelTaskParams: Validator<Types.CancelTaskParams> = validate100 as never;
const schema170 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/cancel-task-params.schema.json","title":"CancelTaskParams","type":"object","required":["task_id"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"}}};

function validate100(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/cancel-task-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate100.evaluated;
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
validate100.errors = vErrors;
return errors === 0;
}
validate100.evaluated = {"props":{"task_id":true},"dynamicProps":false,"dynamicItems":false};

export const isCancelTaskResult: Validator<Types.CancelTaskResult> = validate101 as never;
const schema172 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/cancel-task-result.schema.json","title":"CancelTaskResult","type":"object","required":["task_id","status"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"status":{"const":"canceled"}}};

function validate101(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/cancel-task-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate101.evaluated;
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
validate101.errors = vErrors;
return errors === 0;
}
validate101.evaluated = {"props":{"task_id":true,"status":true},"dynamicProps":false,"dynamicItems":false};

export const isExecuteTaskParams: Validator<Types.ExecuteTaskParams> = validate102 as never;
const schema174 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/execute-task-params.schema.json","title":"ExecuteTaskParams","description":"What a person asked in Slack, for `execute_task`. Members that are not named here are ignored.","type":"object","required":["channel","text","bot_token"],"properties":{"channel":{"type":"string","minLength":1,"description":"Slack channel id."},"text":{"type":"string","description":"The user's message. Empty when only files came."},"bot_token":{"type":"string","minLength":1,"x-secret":true,"description":"A random handle that is good for this task only. The real Slack token does not cross the wall."},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"thread_ts":{"type":"string","description":"Slack timestamp of the thread's root."},"attachments":{"type":"array","items":{"$ref":"attachment.schema.json"}},"team_id":{"type":"string","description":"Slack team id."},"user_id":{"type":"string","description":"Slack user id of the person who asked."},"agent":{"type":"string","minLength":1,"description":"Name of the agent or workflow to run; the zone's default agent when absent."},"thread":{"type":"array","description":"Earlier messages of the thread, oldest first.","items":{"$ref":"thread-message.schema.json"}},"context_id":{"$ref":"../common.schema.json#/$defs/ContextId"}}};
const schema177 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/thread-message.schema.json","title":"ThreadMessage","description":"An earlier message of the same Slack thread.","type":"object","required":["text"],"properties":{"text":{"type":"string"},"user":{"type":"string","description":"Slack user id of the author."},"ts":{"type":"string","description":"Slack timestamp."},"bot":{"type":"boolean","description":"True when this app wrote it."}}};

function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/execute-task-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate102.evaluated;
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
if(!pattern6.test(data3)){
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
const errorsBefore19 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore19 < 20; i0++){
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
const errorsBefore20 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore20 < 20; i1++){
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
if(data.context_id !== undefined){
let data22 = data.context_id;
if(typeof data22 === "string"){
if(!pattern6.test(data22)){
const err31 = {instancePath:instancePath+"/context_id",schemaPath:"../common.schema.json#/$defs/ContextId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/context_id",schemaPath:"../common.schema.json#/$defs/ContextId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
validate102.errors = vErrors;
return errors === 0;
}
validate102.evaluated = {"props":{"channel":true,"text":true,"bot_token":true,"correlation_id":true,"thread_ts":true,"attachments":true,"team_id":true,"user_id":true,"agent":true,"thread":true,"context_id":true},"dynamicProps":false,"dynamicItems":false};

export const isExecuteTaskResult: Validator<Types.ExecuteTaskResult> = validate103 as never;
const schema179 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/execute-task-result.schema.json","title":"ExecuteTaskResult","description":"The answer, or the word that the task was accepted and will be asked for. A failure is never a result: it is a JSON-RPC error.","oneOf":[{"$ref":"task-succeeded.schema.json"},{"$ref":"task-accepted.schema.json"}]};
const schema180 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-succeeded.schema.json","title":"TaskSucceeded","description":"A task's final answer. Further members are the agent's own and are preserved.","type":"object","required":["status","response_text"],"properties":{"status":{"const":"success"},"response_text":{"type":"string","description":"The answer for the thread, Markdown."},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"agent":{"type":"string","description":"Name of the agent that answered."},"progress":{"$ref":"task-progress.schema.json","description":"How it went in the end, of a task that is done in steps."},"default_agent":{"type":"boolean","description":"Whether the agent that answered is the one that answers when no agent is named."},"awaits":{"title":"TaskAwaits","enum":["input","authorization"],"description":"The answer is the agent's question. The next message with the same `context_id` answers it."},"files":{"type":"array","maxItems":20,"description":"Files that belong to the answer. `read_task_file` reads their contents.","items":{"$ref":"task-file.schema.json"}}}};
const schema182 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-file.schema.json","title":"TaskFile","description":"A file that an agent made.","type":"object","required":["id","name","media_type","size"],"properties":{"id":{"$ref":"../common.schema.json#/$defs/TaskFileId"},"name":{"type":"string","minLength":1,"maxLength":255,"description":"As the agent calls it. Not a path, and not to be trusted as one."},"media_type":{"type":"string","minLength":1,"maxLength":255,"description":"As the agent calls it, for example `image/png`."},"size":{"type":"integer","minimum":0,"description":"Bytes."}}};

function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-file.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate106.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.media_type === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "media_type"},message:"must have required property '"+"media_type"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.size === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "size"},message:"must have required property '"+"size"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(func1(data0) > 64){
const err4 = {instancePath:instancePath+"/id",schemaPath:"../common.schema.json#/$defs/TaskFileId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(func1(data0) < 1){
const err5 = {instancePath:instancePath+"/id",schemaPath:"../common.schema.json#/$defs/TaskFileId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err6 = {instancePath:instancePath+"/id",schemaPath:"../common.schema.json#/$defs/TaskFileId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func1(data1) < 1){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.media_type !== undefined){
let data2 = data.media_type;
if(typeof data2 === "string"){
if(func1(data2) > 255){
const err10 = {instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func1(data2) < 1){
const err11 = {instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.size !== undefined){
let data3 = data.size;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err13 = {instancePath:instancePath+"/size",schemaPath:"#/properties/size/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/size",schemaPath:"#/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate106.errors = vErrors;
return errors === 0;
}
validate106.evaluated = {"props":{"id":true,"name":true,"media_type":true,"size":true},"dynamicProps":false,"dynamicItems":false};


function validate104(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-succeeded.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate104.evaluated;
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
if(data.progress !== undefined){
if(!(validate63(data.progress, {instancePath:instancePath+"/progress",parentData:data,parentDataProperty:"progress",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
if(data.default_agent !== undefined){
if(typeof data.default_agent !== "boolean"){
const err8 = {instancePath:instancePath+"/default_agent",schemaPath:"#/properties/default_agent/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.awaits !== undefined){
let data6 = data.awaits;
if(!((data6 === "input") || (data6 === "authorization"))){
const err9 = {instancePath:instancePath+"/awaits",schemaPath:"#/properties/awaits/enum",keyword:"enum",params:{allowedValues: schema180.properties.awaits.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.files !== undefined){
let data7 = data.files;
if(Array.isArray(data7)){
if(data7.length > 20){
const err10 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
const len0 = data7.length;
const errorsBefore21 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore21 < 20; i0++){
if(!(validate106(data7[i0], {instancePath:instancePath+"/files/" + i0,parentData:data7,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate106.errors : vErrors.concat(validate106.errors);
errors = vErrors.length;
}
}
}
else {
const err11 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate104.errors = vErrors;
return errors === 0;
}
validate104.evaluated = {"props":{"status":true,"response_text":true,"task_id":true,"agent":true,"progress":true,"default_agent":true,"awaits":true,"files":true},"dynamicProps":false,"dynamicItems":false};

const schema184 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-accepted.schema.json","title":"TaskAccepted","description":"The task takes longer than the sync window: ask again with `get_async_task_result`.","type":"object","required":["status","task_id"],"properties":{"status":{"const":"accepted"},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"}}};

function validate109(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-accepted.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate109.evaluated;
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
validate109.errors = vErrors;
return errors === 0;
}
validate109.evaluated = {"props":{"status":true,"task_id":true},"dynamicProps":false,"dynamicItems":false};


function validate103(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/execute-task-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate103.evaluated;
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
if(!(validate104(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate104.errors : vErrors.concat(validate104.errors);
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
props0.progress = true;
props0.default_agent = true;
props0.awaits = true;
props0.files = true;
}
const _errs2 = errors;
if(!(validate109(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate109.errors : vErrors.concat(validate109.errors);
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
validate103.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate103.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isFailedRun: Validator<Types.FailedRun> = validate66 as never;

export const isGetAsyncTaskResultParams: Validator<Types.GetAsyncTaskResultParams> = validate111 as never;
const schema186 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/get-async-task-result-params.schema.json","title":"GetAsyncTaskResultParams","type":"object","required":["task_id"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"wait_ms":{"type":"integer","minimum":0,"maximum":60000,"description":"How long the answer may be held back while the task works, milliseconds. The server may hold it for less."},"seen_progress":{"type":"integer","minimum":0,"description":"The revision of the progress that was seen last; anything newer is answered at once."}}};

function validate111(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/get-async-task-result-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate111.evaluated;
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
if(data.seen_progress !== undefined){
let data2 = data.seen_progress;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/seen_progress",schemaPath:"#/properties/seen_progress/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/seen_progress",schemaPath:"#/properties/seen_progress/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate111.errors = vErrors;
return errors === 0;
}
validate111.evaluated = {"props":{"task_id":true,"wait_ms":true,"seen_progress":true},"dynamicProps":false,"dynamicItems":false};

export const isGetAsyncTaskResultResult: Validator<Types.GetAsyncTaskResultResult> = validate112 as never;
const schema188 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/get-async-task-result-result.schema.json","title":"GetAsyncTaskResultResult","description":"The final answer, or that the task still works. A failed task answers with its error.","oneOf":[{"$ref":"task-succeeded.schema.json"},{"$ref":"task-working.schema.json"}]};
const schema189 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-working.schema.json","title":"TaskWorking","description":"The task is not final yet.","type":"object","required":["status","task_id"],"properties":{"status":{"const":"working"},"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"progress":{"$ref":"task-progress.schema.json"}}};

function validate114(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-working.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate114.evaluated;
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
if(data.progress !== undefined){
if(!(validate63(data.progress, {instancePath:instancePath+"/progress",parentData:data,parentDataProperty:"progress",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
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
validate114.errors = vErrors;
return errors === 0;
}
validate114.evaluated = {"props":{"status":true,"task_id":true,"progress":true},"dynamicProps":false,"dynamicItems":false};


function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/get-async-task-result-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate112.evaluated;
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
if(!(validate104(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate104.errors : vErrors.concat(validate104.errors);
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
props0.progress = true;
props0.default_agent = true;
props0.awaits = true;
props0.files = true;
}
const _errs2 = errors;
if(!(validate114(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate114.errors : vErrors.concat(validate114.errors);
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
props0.progress = true;
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
validate112.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate112.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isListAgentsParams: Validator<Types.ListAgentsParams> = validate117 as never;
const schema191 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/list-agents-params.schema.json","title":"ListAgentsParams","description":"No members are known yet; all are ignored.","type":"object"};

function validate117(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/list-agents-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate117.evaluated;
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
validate117.errors = vErrors;
return errors === 0;
}
validate117.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isListAgentsResult: Validator<Types.ListAgentsResult> = validate118 as never;
const schema192 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/list-agents-result.schema.json","title":"ListAgentsResult","type":"object","required":["agents"],"properties":{"agents":{"type":"array","items":{"title":"AgentSummary","description":"An agent or a workflow that `execute_task` can be asked for by name.","type":"object","required":["name","description","default","skills"],"properties":{"name":{"type":"string"},"description":{"type":"string"},"kind":{"enum":["agent","workflow"],"description":"An agent when absent."},"default":{"type":"boolean","description":"Answers when no agent is named."},"skills":{"type":"array","items":{"title":"AgentSkill","type":"object","required":["id","name","description","examples"],"properties":{"id":{"type":"string"},"name":{"type":"string"},"description":{"type":"string"},"examples":{"type":"array","items":{"type":"string"}}}}}}}}}};

function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/list-agents-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate118.evaluated;
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
const errorsBefore22 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore22 < 20; i0++){
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
if(data1.kind !== undefined){
let data4 = data1.kind;
if(!((data4 === "agent") || (data4 === "workflow"))){
const err7 = {instancePath:instancePath+"/agents/" + i0+"/kind",schemaPath:"#/properties/agents/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema192.properties.agents.items.properties.kind.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.default !== undefined){
if(typeof data1.default !== "boolean"){
const err8 = {instancePath:instancePath+"/agents/" + i0+"/default",schemaPath:"#/properties/agents/items/properties/default/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.skills !== undefined){
let data6 = data1.skills;
if(Array.isArray(data6)){
const len1 = data6.length;
const errorsBefore23 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore23 < 20; i1++){
let data7 = data6[i1];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.id === undefined){
const err9 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data7.name === undefined){
const err10 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data7.description === undefined){
const err11 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data7.examples === undefined){
const err12 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/required",keyword:"required",params:{missingProperty: "examples"},message:"must have required property '"+"examples"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data7.id !== undefined){
if(typeof data7.id !== "string"){
const err13 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/id",schemaPath:"#/properties/agents/items/properties/skills/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data7.name !== undefined){
if(typeof data7.name !== "string"){
const err14 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/name",schemaPath:"#/properties/agents/items/properties/skills/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data7.description !== undefined){
if(typeof data7.description !== "string"){
const err15 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/description",schemaPath:"#/properties/agents/items/properties/skills/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data7.examples !== undefined){
let data11 = data7.examples;
if(Array.isArray(data11)){
const len2 = data11.length;
const errorsBefore24 = errors;
for(let i2=0; i2<len2 && errors - errorsBefore24 < 20; i2++){
if(typeof data11[i2] !== "string"){
const err16 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/examples/" + i2,schemaPath:"#/properties/agents/items/properties/skills/items/properties/examples/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1+"/examples",schemaPath:"#/properties/agents/items/properties/skills/items/properties/examples/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err18 = {instancePath:instancePath+"/agents/" + i0+"/skills/" + i1,schemaPath:"#/properties/agents/items/properties/skills/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err19 = {instancePath:instancePath+"/agents/" + i0+"/skills",schemaPath:"#/properties/agents/items/properties/skills/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err20 = {instancePath:instancePath+"/agents/" + i0,schemaPath:"#/properties/agents/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err21 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
validate118.errors = vErrors;
return errors === 0;
}
validate118.evaluated = {"props":{"agents":true},"dynamicProps":false,"dynamicItems":false};

export const isReadTaskFileParams: Validator<Types.ReadTaskFileParams> = validate119 as never;
const schema193 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/read-task-file-params.schema.json","title":"ReadTaskFileParams","description":"Which file to read, and from where.","type":"object","required":["task_id","file_id"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"file_id":{"$ref":"../common.schema.json#/$defs/TaskFileId"},"offset":{"type":"integer","minimum":0,"description":"The first byte to read; 0 when absent."}}};

function validate119(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/read-task-file-params.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate119.evaluated;
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
if(data.file_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "file_id"},message:"must have required property '"+"file_id"+"'"};
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
if(data.file_id !== undefined){
let data1 = data.file_id;
if(typeof data1 === "string"){
if(func1(data1) > 64){
const err5 = {instancePath:instancePath+"/file_id",schemaPath:"../common.schema.json#/$defs/TaskFileId/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(func1(data1) < 1){
const err6 = {instancePath:instancePath+"/file_id",schemaPath:"../common.schema.json#/$defs/TaskFileId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err7 = {instancePath:instancePath+"/file_id",schemaPath:"../common.schema.json#/$defs/TaskFileId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.offset !== undefined){
let data2 = data.offset;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err8 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
validate119.errors = vErrors;
return errors === 0;
}
validate119.evaluated = {"props":{"task_id":true,"file_id":true,"offset":true},"dynamicProps":false,"dynamicItems":false};

export const isReadTaskFileResult: Validator<Types.ReadTaskFileResult> = validate120 as never;
const schema196 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/read-task-file-result.schema.json","title":"ReadTaskFileResult","description":"A piece of a file.","type":"object","required":["bytes"],"properties":{"bytes":{"type":"string","description":"The contents from `offset` on, base64; 1 MiB at most."},"next_offset":{"type":"integer","minimum":1,"description":"Where to read on; absent after the last piece."}}};

function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/read-task-file-result.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate120.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.bytes === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "bytes"},message:"must have required property '"+"bytes"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.bytes !== undefined){
if(typeof data.bytes !== "string"){
const err1 = {instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.next_offset !== undefined){
let data1 = data.next_offset;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err2 = {instancePath:instancePath+"/next_offset",schemaPath:"#/properties/next_offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/next_offset",schemaPath:"#/properties/next_offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
validate120.errors = vErrors;
return errors === 0;
}
validate120.evaluated = {"props":{"bytes":true,"next_offset":true},"dynamicProps":false,"dynamicItems":false};

export const isTaskAccepted: Validator<Types.TaskAccepted> = validate109 as never;

export const isTaskFailure: Validator<Types.TaskFailure> = validate121 as never;
const schema197 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-failure.schema.json","title":"TaskFailure","description":"Why a task has no answer: the row of the error catalogue, without any words of the agent.","type":"object","required":["kind","code","message"],"properties":{"kind":{"$ref":"../common.schema.json#/$defs/ErrorKind"},"code":{"type":"integer","description":"The JSON-RPC error code on the zone link."},"message":{"type":"string","minLength":1,"description":"The title of the kind; the same for every task."}},"additionalProperties":false};

function validate121(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-failure.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate121.evaluated;
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
if(data.code === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.message === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const errorsBefore65 = errors;
for(const key0 in data){
if(errors - errorsBefore65 >= 20) break;
if(!(((key0 === "kind") || (key0 === "code")) || (key0 === "message"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.kind !== undefined){
let data0 = data.kind;
if(!(((((((((((((((((data0 === "parse_error") || (data0 === "invalid_request")) || (data0 === "method_not_found")) || (data0 === "invalid_params")) || (data0 === "internal")) || (data0 === "timeout")) || (data0 === "task_not_found")) || (data0 === "unknown_agent")) || (data0 === "invalid_state_transition")) || (data0 === "agent_unavailable")) || (data0 === "agent_failed")) || (data0 === "agent_invalid_response")) || (data0 === "rate_limited")) || (data0 === "unauthorized")) || (data0 === "payload_too_large")) || (data0 === "canceled")) || (data0 === "shutting_down"))){
const err4 = {instancePath:instancePath+"/kind",schemaPath:"../common.schema.json#/$defs/ErrorKind/enum",keyword:"enum",params:{allowedValues: schema78.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.code !== undefined){
let data1 = data.code;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err5 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.message !== undefined){
let data2 = data.message;
if(typeof data2 === "string"){
if(func1(data2) < 1){
const err6 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err7 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
validate121.errors = vErrors;
return errors === 0;
}
validate121.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isTaskFile: Validator<Types.TaskFile> = validate106 as never;

export const isTaskList: Validator<Types.TaskList> = validate122 as never;
const schema199 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-list.schema.json","title":"TaskList","description":"A page of tasks, newest first.","type":"object","required":["tasks","total","limit","offset"],"properties":{"tasks":{"type":"array","items":{"$ref":"task-record.schema.json"}},"total":{"type":"integer","minimum":0,"description":"Tasks that match the query, on all pages."},"limit":{"type":"integer","minimum":1},"offset":{"type":"integer","minimum":0}},"additionalProperties":false};
const schema200 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/task/task-record.schema.json","title":"TaskRecord","description":"A task as operators see it: everything but what was asked and answered.","type":"object","required":["task_id","state","caller","agent","correlation_id","attempts","created_at","deadline"],"properties":{"task_id":{"$ref":"../common.schema.json#/$defs/TaskId"},"state":{"$ref":"../common.schema.json#/$defs/TaskState"},"caller":{"type":"string","minLength":1,"description":"The authenticated client of the zone link."},"agent":{"type":"string","minLength":1,"description":"The agent or workflow that does the task."},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"attempts":{"type":"integer","minimum":0,"description":"How many processes have run the task. Above 1, a process crashed or lost the database."},"error":{"$ref":"task-failure.schema.json"},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"deadline":{"$ref":"../common.schema.json#/$defs/Timestamp"},"ended_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"team":{"type":"string","minLength":1,"description":"Digest of the Slack team; the same for all tasks of one team."},"team_id":{"type":"string","description":"The Slack team. Present for one task, while it is open and not sealed."},"channel":{"type":"string","description":"The Slack channel. Present for one task, while it is open and not sealed."},"user_id":{"type":"string","description":"The requester. Present for one task, while it is open and not sealed."},"run_id":{"$ref":"../workflow/members.schema.json#/$defs/RunId","description":"The workflow run that does the task. Present for one task."},"agent_calls":{"type":"array","items":{"$ref":"agent-call.schema.json"},"description":"What registered agents were given. Present for one task; empty when the agent runs within the zone."}},"additionalProperties":false};
const schema207 = {"title":"RunId","type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$","description":"Names a run. Made by execution, not guessable."};
const pattern55 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$", "u");

function validate123(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-record.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate123.evaluated;
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
if(data.state === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.caller === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "caller"},message:"must have required property '"+"caller"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.agent === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent"},message:"must have required property '"+"agent"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.correlation_id === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.attempts === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "attempts"},message:"must have required property '"+"attempts"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.created_at === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.deadline === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "deadline"},message:"must have required property '"+"deadline"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const errorsBefore66 = errors;
for(const key0 in data){
if(errors - errorsBefore66 >= 20) break;
if(!(func58.call(schema200.properties, key0))){
const err8 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.task_id !== undefined){
let data0 = data.task_id;
if(typeof data0 === "string"){
if(func1(data0) > 128){
const err9 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/TaskId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func1(data0) < 1){
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
if(data.state !== undefined){
let data1 = data.state;
if(!((((((data1 === "submitted") || (data1 === "working")) || (data1 === "success")) || (data1 === "error")) || (data1 === "canceled")) || (data1 === "timed_out"))){
const err12 = {instancePath:instancePath+"/state",schemaPath:"../common.schema.json#/$defs/TaskState/enum",keyword:"enum",params:{allowedValues: schema79.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.caller !== undefined){
let data2 = data.caller;
if(typeof data2 === "string"){
if(func1(data2) < 1){
const err13 = {instancePath:instancePath+"/caller",schemaPath:"#/properties/caller/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/caller",schemaPath:"#/properties/caller/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.agent !== undefined){
let data3 = data.agent;
if(typeof data3 === "string"){
if(func1(data3) < 1){
const err15 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.correlation_id !== undefined){
let data4 = data.correlation_id;
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
const err17 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.attempts !== undefined){
let data5 = data.attempts;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err19 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err20 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.error !== undefined){
if(!(validate121(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors);
errors = vErrors.length;
}
}
if(data.created_at !== undefined){
let data7 = data.created_at;
if(typeof data7 === "string"){
if(!pattern4.test(data7)){
const err21 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.deadline !== undefined){
let data8 = data.deadline;
if(typeof data8 === "string"){
if(!pattern4.test(data8)){
const err23 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.ended_at !== undefined){
let data9 = data.ended_at;
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
const err25 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.team !== undefined){
let data10 = data.team;
if(typeof data10 === "string"){
if(func1(data10) < 1){
const err27 = {instancePath:instancePath+"/team",schemaPath:"#/properties/team/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/team",schemaPath:"#/properties/team/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.team_id !== undefined){
if(typeof data.team_id !== "string"){
const err29 = {instancePath:instancePath+"/team_id",schemaPath:"#/properties/team_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.channel !== undefined){
if(typeof data.channel !== "string"){
const err30 = {instancePath:instancePath+"/channel",schemaPath:"#/properties/channel/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.user_id !== undefined){
if(typeof data.user_id !== "string"){
const err31 = {instancePath:instancePath+"/user_id",schemaPath:"#/properties/user_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.run_id !== undefined){
let data14 = data.run_id;
if(typeof data14 === "string"){
if(!pattern55.test(data14)){
const err32 = {instancePath:instancePath+"/run_id",schemaPath:"../workflow/members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/run_id",schemaPath:"../workflow/members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.agent_calls !== undefined){
let data15 = data.agent_calls;
if(Array.isArray(data15)){
const len0 = data15.length;
const errorsBefore25 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore25 < 20; i0++){
if(!(validate98(data15[i0], {instancePath:instancePath+"/agent_calls/" + i0,parentData:data15,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors);
errors = vErrors.length;
}
}
}
else {
const err34 = {instancePath:instancePath+"/agent_calls",schemaPath:"#/properties/agent_calls/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
validate123.errors = vErrors;
return errors === 0;
}
validate123.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate122(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/task-list.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate122.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tasks === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tasks"},message:"must have required property '"+"tasks"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.total === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "total"},message:"must have required property '"+"total"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.limit === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "limit"},message:"must have required property '"+"limit"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.offset === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "offset"},message:"must have required property '"+"offset"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore67 = errors;
for(const key0 in data){
if(errors - errorsBefore67 >= 20) break;
if(!((((key0 === "tasks") || (key0 === "total")) || (key0 === "limit")) || (key0 === "offset"))){
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
if(data.tasks !== undefined){
let data0 = data.tasks;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore26 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore26 < 20; i0++){
if(!(validate123(data0[i0], {instancePath:instancePath+"/tasks/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate123.errors : vErrors.concat(validate123.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/tasks",schemaPath:"#/properties/tasks/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.total !== undefined){
let data2 = data.total;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err6 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err8 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.offset !== undefined){
let data4 = data.offset;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err11 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate122.errors = vErrors;
return errors === 0;
}
validate122.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isTaskProgress: Validator<Types.TaskProgress> = validate63 as never;

export const isTaskRecord: Validator<Types.TaskRecord> = validate123 as never;

export const isTaskSucceeded: Validator<Types.TaskSucceeded> = validate104 as never;

export const isTaskWorking: Validator<Types.TaskWorking> = validate114 as never;

export const isThreadMessage: Validator<Types.ThreadMessage> = validate127 as never;

function validate127(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/task/thread-message.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate127.evaluated;
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
validate127.errors = vErrors;
return errors === 0;
}
validate127.evaluated = {"props":{"text":true,"user":true,"ts":true,"bot":true},"dynamicProps":false,"dynamicItems":false};

export const isStepAttempts: Validator<Types.StepAttempts> = validate128 as never;
const schema209 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/attempts.schema.json","title":"StepAttempts","description":"Every attempt at one instance of a step, the first one first.","type":"object","required":["run_id","path","attempts"],"properties":{"run_id":{"$ref":"members.schema.json#/$defs/RunId"},"path":{"$ref":"members.schema.json#/$defs/StepPath"},"attempts":{"type":"array","items":{"$ref":"step-record.schema.json"}}},"additionalProperties":false};
const schema211 = {"title":"StepPath","type":"string","minLength":1,"maxLength":1024,"description":"Which instance of a step: the step's id, in a loop with the index of the item and the ids around it, e.g. `each[3].ask`."};
const schema212 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/step-record.schema.json","title":"WorkflowStepRecord","description":"One instance of a step in a run, in its latest attempt. `input` is what it was given and `output` what it answered, any JSON.","type":"object","required":["path","step_id","type","state","attempt"],"properties":{"path":{"$ref":"members.schema.json#/$defs/StepPath"},"step_id":{"$ref":"members.schema.json#/$defs/StepId"},"type":{"$ref":"members.schema.json#/$defs/StepType"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"agent_name":{"$ref":"../common.schema.json#/$defs/AgentName"},"state":{"$ref":"members.schema.json#/$defs/StepState"},"attempt":{"type":"integer","minimum":0,"description":"0 before the first."},"task_id":{"$ref":"../common.schema.json#/$defs/BusId"},"input":{},"output":{},"error":{"$ref":"run-problem.schema.json"},"started_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"ended_at":{"$ref":"../common.schema.json#/$defs/Timestamp"}},"additionalProperties":false};
const schema214 = {"title":"StepId","type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$","description":"Names a step of a definition. Not `workflow`, `steps`, `item` or `index`: references use these words."};
const schema215 = {"title":"StepType","enum":["agent","parallel","conditional","loop","fork_join"],"description":"What a step does."};
const schema216 = {"title":"StepTitle","type":"string","minLength":1,"maxLength":255,"description":"What people see of a step while it runs; its id when absent."};
const schema220 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/run-problem.schema.json","title":"RunProblem","description":"Why a run or a step of it failed.","type":"object","required":["kind","message"],"properties":{"kind":{"$ref":"members.schema.json#/$defs/RunProblemKind"},"message":{"type":"string","minLength":1,"description":"For people; nothing internal."},"path":{"$ref":"members.schema.json#/$defs/StepPath"},"agent_error":{"$ref":"../bus/agent-error.schema.json"}},"additionalProperties":false};

function validate130(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/run-problem.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate130.evaluated;
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
const errorsBefore68 = errors;
for(const key0 in data){
if(errors - errorsBefore68 >= 20) break;
if(!((((key0 === "kind") || (key0 === "message")) || (key0 === "path")) || (key0 === "agent_error"))){
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
if(data.kind !== undefined){
let data0 = data.kind;
if(!(((((((((((data0 === "agent_failed") || (data0 === "step_timed_out")) || (data0 === "run_timed_out")) || (data0 === "mapping_failed")) || (data0 === "condition_failed")) || (data0 === "collection_invalid")) || (data0 === "join_failed")) || (data0 === "step_failed")) || (data0 === "run_too_large")) || (data0 === "canceled")) || (data0 === "internal"))){
const err3 = {instancePath:instancePath+"/kind",schemaPath:"members.schema.json#/$defs/RunProblemKind/enum",keyword:"enum",params:{allowedValues: schema107.enum},message:"must be equal to one of the allowed values"};
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
let data1 = data.message;
if(typeof data1 === "string"){
if(func1(data1) < 1){
const err4 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err5 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.path !== undefined){
let data2 = data.path;
if(typeof data2 === "string"){
if(func1(data2) > 1024){
const err6 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data2) < 1){
const err7 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.agent_error !== undefined){
if(!(validate39(data.agent_error, {instancePath:instancePath+"/agent_error",parentData:data,parentDataProperty:"agent_error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate130.errors = vErrors;
return errors === 0;
}
validate130.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate129(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/step-record.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate129.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.step_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "step_id"},message:"must have required property '"+"step_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.state === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.attempt === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "attempt"},message:"must have required property '"+"attempt"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const errorsBefore69 = errors;
for(const key0 in data){
if(errors - errorsBefore69 >= 20) break;
if(!(func58.call(schema212.properties, key0))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(typeof data0 === "string"){
if(func1(data0) > 1024){
const err6 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data0) < 1){
const err7 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.step_id !== undefined){
let data1 = data.step_id;
if(typeof data1 === "string"){
if(!pattern55.test(data1)){
const err9 = {instancePath:instancePath+"/step_id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/step_id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.type !== undefined){
let data2 = data.type;
if(!(((((data2 === "agent") || (data2 === "parallel")) || (data2 === "conditional")) || (data2 === "loop")) || (data2 === "fork_join"))){
const err11 = {instancePath:instancePath+"/type",schemaPath:"members.schema.json#/$defs/StepType/enum",keyword:"enum",params:{allowedValues: schema215.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.title !== undefined){
let data3 = data.title;
if(typeof data3 === "string"){
if(func1(data3) > 255){
const err12 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func1(data3) < 1){
const err13 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.agent_name !== undefined){
let data4 = data.agent_name;
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
const err15 = {instancePath:instancePath+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.state !== undefined){
let data5 = data.state;
if(!((((((data5 === "pending") || (data5 === "running")) || (data5 === "succeeded")) || (data5 === "failed")) || (data5 === "canceled")) || (data5 === "skipped"))){
const err17 = {instancePath:instancePath+"/state",schemaPath:"members.schema.json#/$defs/StepState/enum",keyword:"enum",params:{allowedValues: schema104.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.attempt !== undefined){
let data6 = data.attempt;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err18 = {instancePath:instancePath+"/attempt",schemaPath:"#/properties/attempt/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
const err19 = {instancePath:instancePath+"/attempt",schemaPath:"#/properties/attempt/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.task_id !== undefined){
let data7 = data.task_id;
if(typeof data7 === "string"){
if(func1(data7) > 255){
const err20 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(func1(data7) < 1){
const err21 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/task_id",schemaPath:"../common.schema.json#/$defs/BusId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.error !== undefined){
if(!(validate130(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
}
if(data.started_at !== undefined){
let data9 = data.started_at;
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
const err23 = {instancePath:instancePath+"/started_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/started_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.ended_at !== undefined){
let data10 = data.ended_at;
if(typeof data10 === "string"){
if(!pattern4.test(data10)){
const err25 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate129.errors = vErrors;
return errors === 0;
}
validate129.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate128(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/attempts.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate128.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.path === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.attempts === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "attempts"},message:"must have required property '"+"attempts"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const errorsBefore70 = errors;
for(const key0 in data){
if(errors - errorsBefore70 >= 20) break;
if(!(((key0 === "run_id") || (key0 === "path")) || (key0 === "attempts"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err4 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
const err5 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.path !== undefined){
let data1 = data.path;
if(typeof data1 === "string"){
if(func1(data1) > 1024){
const err6 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data1) < 1){
const err7 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/path",schemaPath:"members.schema.json#/$defs/StepPath/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.attempts !== undefined){
let data2 = data.attempts;
if(Array.isArray(data2)){
const len0 = data2.length;
const errorsBefore27 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore27 < 20; i0++){
if(!(validate129(data2[i0], {instancePath:instancePath+"/attempts/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/attempts",schemaPath:"#/properties/attempts/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
validate128.errors = vErrors;
return errors === 0;
}
validate128.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isWorkflowDefinition: Validator<Types.WorkflowDefinition> = validate134 as never;
const schema225 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/definition.schema.json","title":"WorkflowDefinition","description":"A workflow: steps done by agents, and what follows what. `output_mapping` is a template of the run's output, any JSON; the output of the last step when absent.","type":"object","required":["workflow_id","name","version","start_step","steps"],"properties":{"workflow_id":{"$ref":"members.schema.json#/$defs/WorkflowId"},"name":{"type":"string","minLength":1,"maxLength":255,"description":"For people."},"version":{"$ref":"members.schema.json#/$defs/WorkflowVersion"},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"input_schema":{"type":"object","description":"JSON Schema 2020-12 of the input; anything is accepted when absent."},"start_step":{"$ref":"members.schema.json#/$defs/StepId"},"steps":{"type":"object","minProperties":1,"additionalProperties":{"$ref":"step.schema.json"},"description":"By their id."},"deadline_ms":{"type":"integer","minimum":100,"maximum":604800000,"description":"How long a run may take, milliseconds."},"output_mapping":{}},"additionalProperties":false};
const schema227 = {"title":"WorkflowVersion","type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$","description":"Names one version of a workflow. What a version holds never changes."};
const schema228 = {"title":"WorkflowText","type":"string","maxLength":4000,"description":"For people."};
const pattern62 = new RegExp("^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$", "u");
const schema230 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/step.schema.json","title":"WorkflowStep","description":"A step of a workflow. In plans of old, a step without `type` is read as one of an agent.","type":"object","discriminator":{"propertyName":"type"},"oneOf":[{"title":"AgentStep","description":"Gives one task to one agent. `input_mapping` is a template of its input, any JSON: `${workflow.input.a.b[0]}`, `${step.output.x}`, `${item}`, `${index}`, with a default `${step.output.x ?? \"none\"}`; a string that is one reference keeps the type of what it points at; `$${` stands for `${`. Its output is what the agent answered.","required":["id","type","agent_name","input_mapping"],"properties":{"id":{"$ref":"members.schema.json#/$defs/StepId"},"type":{"const":"agent"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"agent_name":{"$ref":"../common.schema.json#/$defs/AgentName"},"input_mapping":{},"timeout_ms":{"$ref":"members.schema.json#/$defs/StepTimeout"},"on_error":{"$ref":"members.schema.json#/$defs/OnStepError"},"next_step":{"$ref":"members.schema.json#/$defs/NextStep"}},"additionalProperties":false},{"title":"ParallelStep","description":"Runs steps at the same time. Its output is an object: step id to output.","required":["id","type","parallel_steps"],"properties":{"id":{"$ref":"members.schema.json#/$defs/StepId"},"type":{"const":"parallel"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"parallel_steps":{"$ref":"members.schema.json#/$defs/StepList"},"max_parallelism":{"$ref":"members.schema.json#/$defs/StepParallelism"},"on_error":{"$ref":"members.schema.json#/$defs/OnStepError"},"next_step":{"$ref":"members.schema.json#/$defs/NextStep"}},"additionalProperties":false},{"title":"ConditionalStep","description":"Takes one of two branches, each to its end, then goes on. Its output is that of the last step it took, null without one.","required":["id","type","condition"],"properties":{"id":{"$ref":"members.schema.json#/$defs/StepId"},"type":{"const":"conditional"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"condition":{"title":"StepCondition","description":"What decides.","type":"object","required":["expression"],"properties":{"expression":{"type":"string","minLength":1,"maxLength":4000,"description":"CEL, true or false, over `workflow.input`, `steps.<id>.output`, `item` and `index`; `${…}` stands for a reference. https://cel.dev"}},"additionalProperties":false},"if_true_step":{"$ref":"members.schema.json#/$defs/NextStep"},"if_false_step":{"$ref":"members.schema.json#/$defs/NextStep"},"next_step":{"$ref":"members.schema.json#/$defs/NextStep"}},"additionalProperties":false},{"title":"LoopStep","description":"Runs its body once for each item of an array. Its output is an array: for each item the output of the last step of the body.","required":["id","type","loop_config"],"properties":{"id":{"$ref":"members.schema.json#/$defs/StepId"},"type":{"const":"loop"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"loop_config":{"title":"LoopConfig","description":"Over what, how, and what to do with each.","type":"object","required":["collection","loop_body"],"properties":{"collection":{"type":["string","array"],"description":"One reference to an array, or an array of templates."},"iterator_variable":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9_]{0,63}$","description":"A second name for `item`, of use where loops are inside loops."},"loop_body":{"$ref":"members.schema.json#/$defs/StepList"},"execution_mode":{"enum":["sequential","parallel"],"description":"`sequential` when absent."},"max_parallelism":{"$ref":"members.schema.json#/$defs/StepParallelism"},"max_iterations":{"type":"integer","minimum":1,"maximum":10000,"description":"A longer array fails the step; 1000 when absent."},"on_error":{"enum":["stop","continue","collect"],"description":"`stop` when absent.","x-meanings":{"stop":"The first failure fails the loop.","continue":"A failed item has the output null.","collect":"All items run; a failed one has the output `{\"error\": RunProblem}`."}}},"additionalProperties":false},"next_step":{"$ref":"members.schema.json#/$defs/NextStep"}},"additionalProperties":false},{"title":"ForkJoinStep","description":"Runs branches at the same time until enough of them have succeeded; the others are canceled. Its output is an object: name of a branch that succeeded to the output of its last step.","required":["id","type","fork_join_config"],"properties":{"id":{"$ref":"members.schema.json#/$defs/StepId"},"type":{"const":"fork_join"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"fork_join_config":{"title":"ForkJoinConfig","description":"The branches and when they are enough.","type":"object","required":["branches","join_policy"],"properties":{"branches":{"type":"object","minProperties":1,"propertyNames":{"$ref":"members.schema.json#/$defs/StepId"},"additionalProperties":{"$ref":"fork-branch.schema.json"},"description":"By name."},"join_policy":{"enum":["all","any","majority","n_of_m"],"description":"How many have to succeed."},"n_required":{"type":"integer","minimum":1,"maximum":1000,"description":"For `n_of_m`."},"branch_timeout_ms":{"$ref":"members.schema.json#/$defs/StepTimeout"}},"additionalProperties":false},"next_step":{"$ref":"members.schema.json#/$defs/NextStep"}},"additionalProperties":false}]};
const schema235 = {"title":"StepTimeout","type":"integer","minimum":100,"maximum":604800000,"description":"How long it may take, milliseconds."};
const schema236 = {"title":"OnStepError","enum":["fail","continue"],"x-meanings":{"fail":"The step fails, and what it belongs to; of a parallel step the others are canceled.","continue":"The run goes on. The step of an agent is recorded as failed, its output is null. A parallel step waits for all of its steps and succeeds; one of them that failed has the output null."},"description":"What a failure does to the run; `fail` when absent."};
const schema237 = {"title":"NextStep","type":["string","null"],"minLength":1,"maxLength":64,"description":"The step that follows; null ends the chain."};
const schema243 = {"title":"StepParallelism","type":"integer","minimum":1,"maximum":1000,"description":"How many of them may run at once; the run's own bound when absent."};
const pattern70 = new RegExp("^[A-Za-z][A-Za-z0-9_]{0,63}$", "u");
const schema241 = {"title":"StepList","type":"array","minItems":1,"items":{"$ref":"#/$defs/StepId"},"description":"Ids of steps, in order. Their own `next_step` is null, absent or the next of the list."};

function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate136.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(data.length < 1){
const err0 = {instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const len0 = data.length;
const errorsBefore28 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore28 < 20; i0++){
let data0 = data[i0];
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate136.errors = vErrors;
return errors === 0;
}
validate136.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const schema261 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/fork-branch.schema.json","title":"ForkBranch","description":"A branch of a fork: steps one after the other.","type":"object","required":["steps"],"properties":{"steps":{"$ref":"members.schema.json#/$defs/StepList"},"timeout_ms":{"$ref":"members.schema.json#/$defs/StepTimeout"}},"additionalProperties":false};

function validate140(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate140.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(data.length < 1){
const err0 = {instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const len0 = data.length;
const errorsBefore29 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore29 < 20; i0++){
let data0 = data[i0];
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate140.errors = vErrors;
return errors === 0;
}
validate140.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};


function validate139(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/fork-branch.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate139.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.steps === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "steps"},message:"must have required property '"+"steps"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const errorsBefore71 = errors;
for(const key0 in data){
if(errors - errorsBefore71 >= 20) break;
if(!((key0 === "steps") || (key0 === "timeout_ms"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.steps !== undefined){
if(!(validate140(data.steps, {instancePath:instancePath+"/steps",parentData:data,parentDataProperty:"steps",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
}
if(data.timeout_ms !== undefined){
let data1 = data.timeout_ms;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err2 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 604800000 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800000},message:"must be <= 604800000"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1 < 100 || isNaN(data1)){
const err4 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
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
validate139.errors = vErrors;
return errors === 0;
}
validate139.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate135(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/step.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate135.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
const tag0 = data.type;
if(typeof tag0 == "string"){
if(tag0 === "agent"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.type === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.agent_name === undefined){
const err2 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "agent_name"},message:"must have required property '"+"agent_name"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.input_mapping === undefined){
const err3 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "input_mapping"},message:"must have required property '"+"input_mapping"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore72 = errors;
for(const key0 in data){
if(errors - errorsBefore72 >= 20) break;
if(!(func58.call(schema230.oneOf[0].properties, key0))){
const err4 = {instancePath,schemaPath:"#/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
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
let data0 = data.id;
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
const err6 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.type !== undefined){
if("agent" !== data.type){
const err7 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/0/properties/type/const",keyword:"const",params:{allowedValue: "agent"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.title !== undefined){
let data2 = data.title;
if(typeof data2 === "string"){
if(func1(data2) > 255){
const err8 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(func1(data2) < 1){
const err9 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined){
let data3 = data.description;
if(typeof data3 === "string"){
if(func1(data3) > 4000){
const err11 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.agent_name !== undefined){
let data4 = data.agent_name;
if(typeof data4 === "string"){
if(!pattern7.test(data4)){
const err13 = {instancePath:instancePath+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.timeout_ms !== undefined){
let data5 = data.timeout_ms;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err15 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 604800000 || isNaN(data5)){
const err16 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800000},message:"must be <= 604800000"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data5 < 100 || isNaN(data5)){
const err17 = {instancePath:instancePath+"/timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
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
if(data.on_error !== undefined){
let data6 = data.on_error;
if(!((data6 === "fail") || (data6 === "continue"))){
const err18 = {instancePath:instancePath+"/on_error",schemaPath:"members.schema.json#/$defs/OnStepError/enum",keyword:"enum",params:{allowedValues: schema236.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.next_step !== undefined){
let data7 = data.next_step;
if((typeof data7 !== "string") && (data7 !== null)){
const err19 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(typeof data7 === "string"){
if(func1(data7) > 64){
const err20 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(func1(data7) < 1){
const err21 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
}
var props0 = true;
}
else if(tag0 === "parallel"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err22 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data.type === undefined){
const err23 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data.parallel_steps === undefined){
const err24 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "parallel_steps"},message:"must have required property '"+"parallel_steps"+"'"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
const errorsBefore73 = errors;
for(const key1 in data){
if(errors - errorsBefore73 >= 20) break;
if(!((((((((key1 === "id") || (key1 === "type")) || (key1 === "title")) || (key1 === "description")) || (key1 === "parallel_steps")) || (key1 === "max_parallelism")) || (key1 === "on_error")) || (key1 === "next_step"))){
const err25 = {instancePath,schemaPath:"#/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.id !== undefined){
let data8 = data.id;
if(typeof data8 === "string"){
if(!pattern55.test(data8)){
const err26 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.type !== undefined){
if("parallel" !== data.type){
const err28 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/1/properties/type/const",keyword:"const",params:{allowedValue: "parallel"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.title !== undefined){
let data10 = data.title;
if(typeof data10 === "string"){
if(func1(data10) > 255){
const err29 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(func1(data10) < 1){
const err30 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.description !== undefined){
let data11 = data.description;
if(typeof data11 === "string"){
if(func1(data11) > 4000){
const err32 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.parallel_steps !== undefined){
if(!(validate136(data.parallel_steps, {instancePath:instancePath+"/parallel_steps",parentData:data,parentDataProperty:"parallel_steps",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
}
if(data.max_parallelism !== undefined){
let data13 = data.max_parallelism;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err34 = {instancePath:instancePath+"/max_parallelism",schemaPath:"members.schema.json#/$defs/StepParallelism/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 1000 || isNaN(data13)){
const err35 = {instancePath:instancePath+"/max_parallelism",schemaPath:"members.schema.json#/$defs/StepParallelism/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err36 = {instancePath:instancePath+"/max_parallelism",schemaPath:"members.schema.json#/$defs/StepParallelism/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
if(data.on_error !== undefined){
let data14 = data.on_error;
if(!((data14 === "fail") || (data14 === "continue"))){
const err37 = {instancePath:instancePath+"/on_error",schemaPath:"members.schema.json#/$defs/OnStepError/enum",keyword:"enum",params:{allowedValues: schema236.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data.next_step !== undefined){
let data15 = data.next_step;
if((typeof data15 !== "string") && (data15 !== null)){
const err38 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(typeof data15 === "string"){
if(func1(data15) > 64){
const err39 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(func1(data15) < 1){
const err40 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "conditional"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err41 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data.type === undefined){
const err42 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data.condition === undefined){
const err43 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "condition"},message:"must have required property '"+"condition"+"'"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
const errorsBefore74 = errors;
for(const key2 in data){
if(errors - errorsBefore74 >= 20) break;
if(!((((((((key2 === "id") || (key2 === "type")) || (key2 === "title")) || (key2 === "description")) || (key2 === "condition")) || (key2 === "if_true_step")) || (key2 === "if_false_step")) || (key2 === "next_step"))){
const err44 = {instancePath,schemaPath:"#/oneOf/2/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data.id !== undefined){
let data16 = data.id;
if(typeof data16 === "string"){
if(!pattern55.test(data16)){
const err45 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.type !== undefined){
if("conditional" !== data.type){
const err47 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/2/properties/type/const",keyword:"const",params:{allowedValue: "conditional"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.title !== undefined){
let data18 = data.title;
if(typeof data18 === "string"){
if(func1(data18) > 255){
const err48 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(func1(data18) < 1){
const err49 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data.description !== undefined){
let data19 = data.description;
if(typeof data19 === "string"){
if(func1(data19) > 4000){
const err51 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data.condition !== undefined){
let data20 = data.condition;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
if(data20.expression === undefined){
const err53 = {instancePath:instancePath+"/condition",schemaPath:"#/oneOf/2/properties/condition/required",keyword:"required",params:{missingProperty: "expression"},message:"must have required property '"+"expression"+"'"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
const errorsBefore75 = errors;
for(const key3 in data20){
if(errors - errorsBefore75 >= 20) break;
if(!(key3 === "expression")){
const err54 = {instancePath:instancePath+"/condition",schemaPath:"#/oneOf/2/properties/condition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data20.expression !== undefined){
let data21 = data20.expression;
if(typeof data21 === "string"){
if(func1(data21) > 4000){
const err55 = {instancePath:instancePath+"/condition/expression",schemaPath:"#/oneOf/2/properties/condition/properties/expression/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(func1(data21) < 1){
const err56 = {instancePath:instancePath+"/condition/expression",schemaPath:"#/oneOf/2/properties/condition/properties/expression/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/condition/expression",schemaPath:"#/oneOf/2/properties/condition/properties/expression/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/condition",schemaPath:"#/oneOf/2/properties/condition/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data.if_true_step !== undefined){
let data22 = data.if_true_step;
if((typeof data22 !== "string") && (data22 !== null)){
const err59 = {instancePath:instancePath+"/if_true_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(typeof data22 === "string"){
if(func1(data22) > 64){
const err60 = {instancePath:instancePath+"/if_true_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(func1(data22) < 1){
const err61 = {instancePath:instancePath+"/if_true_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
if(data.if_false_step !== undefined){
let data23 = data.if_false_step;
if((typeof data23 !== "string") && (data23 !== null)){
const err62 = {instancePath:instancePath+"/if_false_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(typeof data23 === "string"){
if(func1(data23) > 64){
const err63 = {instancePath:instancePath+"/if_false_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(func1(data23) < 1){
const err64 = {instancePath:instancePath+"/if_false_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
if(data.next_step !== undefined){
let data24 = data.next_step;
if((typeof data24 !== "string") && (data24 !== null)){
const err65 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if(typeof data24 === "string"){
if(func1(data24) > 64){
const err66 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
if(func1(data24) < 1){
const err67 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "loop"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err68 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
if(data.type === undefined){
const err69 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if(data.loop_config === undefined){
const err70 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "loop_config"},message:"must have required property '"+"loop_config"+"'"};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
const errorsBefore76 = errors;
for(const key4 in data){
if(errors - errorsBefore76 >= 20) break;
if(!((((((key4 === "id") || (key4 === "type")) || (key4 === "title")) || (key4 === "description")) || (key4 === "loop_config")) || (key4 === "next_step"))){
const err71 = {instancePath,schemaPath:"#/oneOf/3/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data.id !== undefined){
let data25 = data.id;
if(typeof data25 === "string"){
if(!pattern55.test(data25)){
const err72 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
else {
const err73 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data.type !== undefined){
if("loop" !== data.type){
const err74 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/3/properties/type/const",keyword:"const",params:{allowedValue: "loop"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data.title !== undefined){
let data27 = data.title;
if(typeof data27 === "string"){
if(func1(data27) > 255){
const err75 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
if(func1(data27) < 1){
const err76 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
else {
const err77 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data.description !== undefined){
let data28 = data.description;
if(typeof data28 === "string"){
if(func1(data28) > 4000){
const err78 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
else {
const err79 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data.loop_config !== undefined){
let data29 = data.loop_config;
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.collection === undefined){
const err80 = {instancePath:instancePath+"/loop_config",schemaPath:"#/oneOf/3/properties/loop_config/required",keyword:"required",params:{missingProperty: "collection"},message:"must have required property '"+"collection"+"'"};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if(data29.loop_body === undefined){
const err81 = {instancePath:instancePath+"/loop_config",schemaPath:"#/oneOf/3/properties/loop_config/required",keyword:"required",params:{missingProperty: "loop_body"},message:"must have required property '"+"loop_body"+"'"};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
const errorsBefore77 = errors;
for(const key5 in data29){
if(errors - errorsBefore77 >= 20) break;
if(!(((((((key5 === "collection") || (key5 === "iterator_variable")) || (key5 === "loop_body")) || (key5 === "execution_mode")) || (key5 === "max_parallelism")) || (key5 === "max_iterations")) || (key5 === "on_error"))){
const err82 = {instancePath:instancePath+"/loop_config",schemaPath:"#/oneOf/3/properties/loop_config/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data29.collection !== undefined){
let data30 = data29.collection;
if((typeof data30 !== "string") && (!(Array.isArray(data30)))){
const err83 = {instancePath:instancePath+"/loop_config/collection",schemaPath:"#/oneOf/3/properties/loop_config/properties/collection/type",keyword:"type",params:{type: schema230.oneOf[3].properties.loop_config.properties.collection.type},message:"must be string,array"};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data29.iterator_variable !== undefined){
let data31 = data29.iterator_variable;
if(typeof data31 === "string"){
if(!pattern70.test(data31)){
const err84 = {instancePath:instancePath+"/loop_config/iterator_variable",schemaPath:"#/oneOf/3/properties/loop_config/properties/iterator_variable/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$"},message:"must match pattern \""+"^[A-Za-z][A-Za-z0-9_]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
else {
const err85 = {instancePath:instancePath+"/loop_config/iterator_variable",schemaPath:"#/oneOf/3/properties/loop_config/properties/iterator_variable/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data29.loop_body !== undefined){
if(!(validate136(data29.loop_body, {instancePath:instancePath+"/loop_config/loop_body",parentData:data29,parentDataProperty:"loop_body",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
}
if(data29.execution_mode !== undefined){
let data33 = data29.execution_mode;
if(!((data33 === "sequential") || (data33 === "parallel"))){
const err86 = {instancePath:instancePath+"/loop_config/execution_mode",schemaPath:"#/oneOf/3/properties/loop_config/properties/execution_mode/enum",keyword:"enum",params:{allowedValues: schema230.oneOf[3].properties.loop_config.properties.execution_mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
if(data29.max_parallelism !== undefined){
let data34 = data29.max_parallelism;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
const err87 = {instancePath:instancePath+"/loop_config/max_parallelism",schemaPath:"members.schema.json#/$defs/StepParallelism/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 1000 || isNaN(data34)){
const err88 = {instancePath:instancePath+"/loop_config/max_parallelism",schemaPath:"members.schema.json#/$defs/StepParallelism/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if(data34 < 1 || isNaN(data34)){
const err89 = {instancePath:instancePath+"/loop_config/max_parallelism",schemaPath:"members.schema.json#/$defs/StepParallelism/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
}
if(data29.max_iterations !== undefined){
let data35 = data29.max_iterations;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err90 = {instancePath:instancePath+"/loop_config/max_iterations",schemaPath:"#/oneOf/3/properties/loop_config/properties/max_iterations/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 10000 || isNaN(data35)){
const err91 = {instancePath:instancePath+"/loop_config/max_iterations",schemaPath:"#/oneOf/3/properties/loop_config/properties/max_iterations/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000"};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if(data35 < 1 || isNaN(data35)){
const err92 = {instancePath:instancePath+"/loop_config/max_iterations",schemaPath:"#/oneOf/3/properties/loop_config/properties/max_iterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
}
if(data29.on_error !== undefined){
let data36 = data29.on_error;
if(!(((data36 === "stop") || (data36 === "continue")) || (data36 === "collect"))){
const err93 = {instancePath:instancePath+"/loop_config/on_error",schemaPath:"#/oneOf/3/properties/loop_config/properties/on_error/enum",keyword:"enum",params:{allowedValues: schema230.oneOf[3].properties.loop_config.properties.on_error.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
}
else {
const err94 = {instancePath:instancePath+"/loop_config",schemaPath:"#/oneOf/3/properties/loop_config/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data.next_step !== undefined){
let data37 = data.next_step;
if((typeof data37 !== "string") && (data37 !== null)){
const err95 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if(typeof data37 === "string"){
if(func1(data37) > 64){
const err96 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if(func1(data37) < 1){
const err97 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
}
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "fork_join"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err98 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if(data.type === undefined){
const err99 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if(data.fork_join_config === undefined){
const err100 = {instancePath,schemaPath:"#/oneOf/4/required",keyword:"required",params:{missingProperty: "fork_join_config"},message:"must have required property '"+"fork_join_config"+"'"};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
const errorsBefore78 = errors;
for(const key6 in data){
if(errors - errorsBefore78 >= 20) break;
if(!((((((key6 === "id") || (key6 === "type")) || (key6 === "title")) || (key6 === "description")) || (key6 === "fork_join_config")) || (key6 === "next_step"))){
const err101 = {instancePath,schemaPath:"#/oneOf/4/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data.id !== undefined){
let data38 = data.id;
if(typeof data38 === "string"){
if(!pattern55.test(data38)){
const err102 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
else {
const err103 = {instancePath:instancePath+"/id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data.type !== undefined){
if("fork_join" !== data.type){
const err104 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/4/properties/type/const",keyword:"const",params:{allowedValue: "fork_join"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
if(data.title !== undefined){
let data40 = data.title;
if(typeof data40 === "string"){
if(func1(data40) > 255){
const err105 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
if(func1(data40) < 1){
const err106 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
else {
const err107 = {instancePath:instancePath+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data.description !== undefined){
let data41 = data.description;
if(typeof data41 === "string"){
if(func1(data41) > 4000){
const err108 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
else {
const err109 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
if(data.fork_join_config !== undefined){
let data42 = data.fork_join_config;
if(data42 && typeof data42 == "object" && !Array.isArray(data42)){
if(data42.branches === undefined){
const err110 = {instancePath:instancePath+"/fork_join_config",schemaPath:"#/oneOf/4/properties/fork_join_config/required",keyword:"required",params:{missingProperty: "branches"},message:"must have required property '"+"branches"+"'"};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
if(data42.join_policy === undefined){
const err111 = {instancePath:instancePath+"/fork_join_config",schemaPath:"#/oneOf/4/properties/fork_join_config/required",keyword:"required",params:{missingProperty: "join_policy"},message:"must have required property '"+"join_policy"+"'"};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
const errorsBefore79 = errors;
for(const key7 in data42){
if(errors - errorsBefore79 >= 20) break;
if(!((((key7 === "branches") || (key7 === "join_policy")) || (key7 === "n_required")) || (key7 === "branch_timeout_ms"))){
const err112 = {instancePath:instancePath+"/fork_join_config",schemaPath:"#/oneOf/4/properties/fork_join_config/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
if(data42.branches !== undefined){
let data43 = data42.branches;
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
if(Object.keys(data43).length < 1){
const err113 = {instancePath:instancePath+"/fork_join_config/branches",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/branches/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
const errorsBefore80 = errors;
for(const key8 in data43){
if(errors - errorsBefore80 >= 20) break;
const _errs119 = errors;
if(typeof key8 === "string"){
if(!pattern55.test(key8)){
const err114 = {instancePath:instancePath+"/fork_join_config/branches",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\"",propertyName:key8};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
else {
const err115 = {instancePath:instancePath+"/fork_join_config/branches",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string",propertyName:key8};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
var valid41 = _errs119 === errors;
if(!valid41){
const err116 = {instancePath:instancePath+"/fork_join_config/branches",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/branches/propertyNames",keyword:"propertyNames",params:{propertyName: key8},message:"property name must be valid"};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
const errorsBefore81 = errors;
for(const key9 in data43){
if(errors - errorsBefore81 >= 20) break;
if(!(validate139(data43[key9], {instancePath:instancePath+"/fork_join_config/branches/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data43,parentDataProperty:key9,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate139.errors : vErrors.concat(validate139.errors);
errors = vErrors.length;
}
}
}
else {
const err117 = {instancePath:instancePath+"/fork_join_config/branches",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/branches/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
if(data42.join_policy !== undefined){
let data45 = data42.join_policy;
if(!((((data45 === "all") || (data45 === "any")) || (data45 === "majority")) || (data45 === "n_of_m"))){
const err118 = {instancePath:instancePath+"/fork_join_config/join_policy",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/join_policy/enum",keyword:"enum",params:{allowedValues: schema230.oneOf[4].properties.fork_join_config.properties.join_policy.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
if(data42.n_required !== undefined){
let data46 = data42.n_required;
if(!(((typeof data46 == "number") && (!(data46 % 1) && !isNaN(data46))) && (isFinite(data46)))){
const err119 = {instancePath:instancePath+"/fork_join_config/n_required",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/n_required/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if((typeof data46 == "number") && (isFinite(data46))){
if(data46 > 1000 || isNaN(data46)){
const err120 = {instancePath:instancePath+"/fork_join_config/n_required",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/n_required/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
if(data46 < 1 || isNaN(data46)){
const err121 = {instancePath:instancePath+"/fork_join_config/n_required",schemaPath:"#/oneOf/4/properties/fork_join_config/properties/n_required/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
}
if(data42.branch_timeout_ms !== undefined){
let data47 = data42.branch_timeout_ms;
if(!(((typeof data47 == "number") && (!(data47 % 1) && !isNaN(data47))) && (isFinite(data47)))){
const err122 = {instancePath:instancePath+"/fork_join_config/branch_timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if((typeof data47 == "number") && (isFinite(data47))){
if(data47 > 604800000 || isNaN(data47)){
const err123 = {instancePath:instancePath+"/fork_join_config/branch_timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800000},message:"must be <= 604800000"};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if(data47 < 100 || isNaN(data47)){
const err124 = {instancePath:instancePath+"/fork_join_config/branch_timeout_ms",schemaPath:"members.schema.json#/$defs/StepTimeout/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
}
}
else {
const err125 = {instancePath:instancePath+"/fork_join_config",schemaPath:"#/oneOf/4/properties/fork_join_config/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
if(data.next_step !== undefined){
let data48 = data.next_step;
if((typeof data48 !== "string") && (data48 !== null)){
const err126 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
if(typeof data48 === "string"){
if(func1(data48) > 64){
const err127 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
if(func1(data48) < 1){
const err128 = {instancePath:instancePath+"/next_step",schemaPath:"members.schema.json#/$defs/NextStep/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
}
}
if(props0 !== true){
props0 = true;
}
}
else {
const err129 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag0},message:"value of tag \"type\" must be in oneOf"};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
else {
const err130 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag0},message:"tag \"type\" must be string"};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
else {
const err131 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
validate135.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate135.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate134(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/definition.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate134.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflow_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow_id"},message:"must have required property '"+"workflow_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.version === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.start_step === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "start_step"},message:"must have required property '"+"start_step"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.steps === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "steps"},message:"must have required property '"+"steps"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const errorsBefore82 = errors;
for(const key0 in data){
if(errors - errorsBefore82 >= 20) break;
if(!(func58.call(schema225.properties, key0))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.workflow_id !== undefined){
let data0 = data.workflow_id;
if(typeof data0 === "string"){
if(!pattern18.test(data0)){
const err6 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
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
const err7 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(func1(data1) < 1){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.version !== undefined){
let data2 = data.version;
if(typeof data2 === "string"){
if(!pattern62.test(data2)){
const err11 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.description !== undefined){
let data3 = data.description;
if(typeof data3 === "string"){
if(func1(data3) > 4000){
const err13 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.input_schema !== undefined){
let data4 = data.input_schema;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
const err15 = {instancePath:instancePath+"/input_schema",schemaPath:"#/properties/input_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.start_step !== undefined){
let data5 = data.start_step;
if(typeof data5 === "string"){
if(!pattern55.test(data5)){
const err16 = {instancePath:instancePath+"/start_step",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/start_step",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.steps !== undefined){
let data6 = data.steps;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(Object.keys(data6).length < 1){
const err18 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
const errorsBefore83 = errors;
for(const key1 in data6){
if(errors - errorsBefore83 >= 20) break;
if(!(validate135(data6[key1], {instancePath:instancePath+"/steps/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data6,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate135.errors : vErrors.concat(validate135.errors);
errors = vErrors.length;
}
}
}
else {
const err19 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.deadline_ms !== undefined){
let data8 = data.deadline_ms;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err20 = {instancePath:instancePath+"/deadline_ms",schemaPath:"#/properties/deadline_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 604800000 || isNaN(data8)){
const err21 = {instancePath:instancePath+"/deadline_ms",schemaPath:"#/properties/deadline_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800000},message:"must be <= 604800000"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(data8 < 100 || isNaN(data8)){
const err22 = {instancePath:instancePath+"/deadline_ms",schemaPath:"#/properties/deadline_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate134.errors = vErrors;
return errors === 0;
}
validate134.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isForkBranch: Validator<Types.ForkBranch> = validate139 as never;

export const isRunGraph: Validator<Types.RunGraph> = validate144 as never;
const schema267 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/graph.schema.json","title":"RunGraph","description":"A run as a picture: every step of its definition is a node, in the state of all its instances together.","type":"object","required":["run_id","revision","state","nodes","edges"],"properties":{"run_id":{"$ref":"members.schema.json#/$defs/RunId"},"revision":{"$ref":"members.schema.json#/$defs/RunRevision"},"state":{"$ref":"members.schema.json#/$defs/RunState"},"nodes":{"type":"array","items":{"title":"RunGraphNode","type":"object","required":["id","title","type","state"],"properties":{"id":{"$ref":"members.schema.json#/$defs/StepId"},"title":{"$ref":"members.schema.json#/$defs/StepTitle"},"type":{"$ref":"members.schema.json#/$defs/StepType"},"agent_name":{"$ref":"../common.schema.json#/$defs/AgentName"},"state":{"$ref":"members.schema.json#/$defs/StepState"},"parent":{"$ref":"members.schema.json#/$defs/StepId"},"done":{"type":"integer","minimum":0,"description":"Of a loop its items that are done; inside of one, instances."},"total":{"type":"integer","minimum":0}},"additionalProperties":false}},"edges":{"type":"array","items":{"title":"RunGraphEdge","type":"object","required":["from","to","kind","is_taken"],"properties":{"from":{"$ref":"members.schema.json#/$defs/StepId"},"to":{"$ref":"members.schema.json#/$defs/StepId"},"kind":{"enum":["next","inside"],"x-meanings":{"next":"Leads on.","inside":"Leads from a step to the first of what it is made of."}},"label":{"type":"string","description":"The branch of a fork, or `true` and `false` of a condition."},"is_taken":{"type":"boolean","description":"Whether the run went there."}},"additionalProperties":false}}},"additionalProperties":false};
const schema269 = {"title":"RunRevision","type":"integer","minimum":0,"description":"One more with each change of the run; orders its events."};
const schema270 = {"title":"RunState","enum":["pending","running","succeeded","failed","canceled","timed_out"],"x-meanings":{"pending":"Stored, not started.","running":"At least one step is under way.","succeeded":"Final: it has its output.","failed":"Final, until it is tried again: `error` says why.","canceled":"Final: somebody stopped it.","timed_out":"Final: it passed its deadline."},"description":"Where a run stands. pending and running are open; the others are final."};

function validate144(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/graph.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate144.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.revision === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.state === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.nodes === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "nodes"},message:"must have required property '"+"nodes"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.edges === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "edges"},message:"must have required property '"+"edges"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const errorsBefore84 = errors;
for(const key0 in data){
if(errors - errorsBefore84 >= 20) break;
if(!(((((key0 === "run_id") || (key0 === "revision")) || (key0 === "state")) || (key0 === "nodes")) || (key0 === "edges"))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err6 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
const err7 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.revision !== undefined){
let data1 = data.revision;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err8 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err9 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.state !== undefined){
let data2 = data.state;
if(!((((((data2 === "pending") || (data2 === "running")) || (data2 === "succeeded")) || (data2 === "failed")) || (data2 === "canceled")) || (data2 === "timed_out"))){
const err10 = {instancePath:instancePath+"/state",schemaPath:"members.schema.json#/$defs/RunState/enum",keyword:"enum",params:{allowedValues: schema270.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.nodes !== undefined){
let data3 = data.nodes;
if(Array.isArray(data3)){
const len0 = data3.length;
const errorsBefore30 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore30 < 20; i0++){
let data4 = data3[i0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.id === undefined){
const err11 = {instancePath:instancePath+"/nodes/" + i0,schemaPath:"#/properties/nodes/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data4.title === undefined){
const err12 = {instancePath:instancePath+"/nodes/" + i0,schemaPath:"#/properties/nodes/items/required",keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.type === undefined){
const err13 = {instancePath:instancePath+"/nodes/" + i0,schemaPath:"#/properties/nodes/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4.state === undefined){
const err14 = {instancePath:instancePath+"/nodes/" + i0,schemaPath:"#/properties/nodes/items/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const errorsBefore85 = errors;
for(const key1 in data4){
if(errors - errorsBefore85 >= 20) break;
if(!((((((((key1 === "id") || (key1 === "title")) || (key1 === "type")) || (key1 === "agent_name")) || (key1 === "state")) || (key1 === "parent")) || (key1 === "done")) || (key1 === "total"))){
const err15 = {instancePath:instancePath+"/nodes/" + i0,schemaPath:"#/properties/nodes/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data4.id !== undefined){
let data5 = data4.id;
if(typeof data5 === "string"){
if(!pattern55.test(data5)){
const err16 = {instancePath:instancePath+"/nodes/" + i0+"/id",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/nodes/" + i0+"/id",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data4.title !== undefined){
let data6 = data4.title;
if(typeof data6 === "string"){
if(func1(data6) > 255){
const err18 = {instancePath:instancePath+"/nodes/" + i0+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(func1(data6) < 1){
const err19 = {instancePath:instancePath+"/nodes/" + i0+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/nodes/" + i0+"/title",schemaPath:"members.schema.json#/$defs/StepTitle/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data4.type !== undefined){
let data7 = data4.type;
if(!(((((data7 === "agent") || (data7 === "parallel")) || (data7 === "conditional")) || (data7 === "loop")) || (data7 === "fork_join"))){
const err21 = {instancePath:instancePath+"/nodes/" + i0+"/type",schemaPath:"members.schema.json#/$defs/StepType/enum",keyword:"enum",params:{allowedValues: schema215.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data4.agent_name !== undefined){
let data8 = data4.agent_name;
if(typeof data8 === "string"){
if(!pattern7.test(data8)){
const err22 = {instancePath:instancePath+"/nodes/" + i0+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/pattern",keyword:"pattern",params:{pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"},message:"must match pattern \""+"^[^\\x00-\\x1f\\x7f-\\x9f]{1,255}$"+"\""};
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
const err23 = {instancePath:instancePath+"/nodes/" + i0+"/agent_name",schemaPath:"../common.schema.json#/$defs/AgentName/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data4.state !== undefined){
let data9 = data4.state;
if(!((((((data9 === "pending") || (data9 === "running")) || (data9 === "succeeded")) || (data9 === "failed")) || (data9 === "canceled")) || (data9 === "skipped"))){
const err24 = {instancePath:instancePath+"/nodes/" + i0+"/state",schemaPath:"members.schema.json#/$defs/StepState/enum",keyword:"enum",params:{allowedValues: schema104.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data4.parent !== undefined){
let data10 = data4.parent;
if(typeof data10 === "string"){
if(!pattern55.test(data10)){
const err25 = {instancePath:instancePath+"/nodes/" + i0+"/parent",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/nodes/" + i0+"/parent",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data4.done !== undefined){
let data11 = data4.done;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err27 = {instancePath:instancePath+"/nodes/" + i0+"/done",schemaPath:"#/properties/nodes/items/properties/done/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
const err28 = {instancePath:instancePath+"/nodes/" + i0+"/done",schemaPath:"#/properties/nodes/items/properties/done/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data4.total !== undefined){
let data12 = data4.total;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err29 = {instancePath:instancePath+"/nodes/" + i0+"/total",schemaPath:"#/properties/nodes/items/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 < 0 || isNaN(data12)){
const err30 = {instancePath:instancePath+"/nodes/" + i0+"/total",schemaPath:"#/properties/nodes/items/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err31 = {instancePath:instancePath+"/nodes/" + i0,schemaPath:"#/properties/nodes/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/nodes",schemaPath:"#/properties/nodes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.edges !== undefined){
let data13 = data.edges;
if(Array.isArray(data13)){
const len1 = data13.length;
const errorsBefore31 = errors;
for(let i1=0; i1<len1 && errors - errorsBefore31 < 20; i1++){
let data14 = data13[i1];
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.from === undefined){
const err33 = {instancePath:instancePath+"/edges/" + i1,schemaPath:"#/properties/edges/items/required",keyword:"required",params:{missingProperty: "from"},message:"must have required property '"+"from"+"'"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(data14.to === undefined){
const err34 = {instancePath:instancePath+"/edges/" + i1,schemaPath:"#/properties/edges/items/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data14.kind === undefined){
const err35 = {instancePath:instancePath+"/edges/" + i1,schemaPath:"#/properties/edges/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data14.is_taken === undefined){
const err36 = {instancePath:instancePath+"/edges/" + i1,schemaPath:"#/properties/edges/items/required",keyword:"required",params:{missingProperty: "is_taken"},message:"must have required property '"+"is_taken"+"'"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
const errorsBefore86 = errors;
for(const key2 in data14){
if(errors - errorsBefore86 >= 20) break;
if(!(((((key2 === "from") || (key2 === "to")) || (key2 === "kind")) || (key2 === "label")) || (key2 === "is_taken"))){
const err37 = {instancePath:instancePath+"/edges/" + i1,schemaPath:"#/properties/edges/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data14.from !== undefined){
let data15 = data14.from;
if(typeof data15 === "string"){
if(!pattern55.test(data15)){
const err38 = {instancePath:instancePath+"/edges/" + i1+"/from",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
else {
const err39 = {instancePath:instancePath+"/edges/" + i1+"/from",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data14.to !== undefined){
let data16 = data14.to;
if(typeof data16 === "string"){
if(!pattern55.test(data16)){
const err40 = {instancePath:instancePath+"/edges/" + i1+"/to",schemaPath:"members.schema.json#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/edges/" + i1+"/to",schemaPath:"members.schema.json#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data14.kind !== undefined){
let data17 = data14.kind;
if(!((data17 === "next") || (data17 === "inside"))){
const err42 = {instancePath:instancePath+"/edges/" + i1+"/kind",schemaPath:"#/properties/edges/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema267.properties.edges.items.properties.kind.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data14.label !== undefined){
if(typeof data14.label !== "string"){
const err43 = {instancePath:instancePath+"/edges/" + i1+"/label",schemaPath:"#/properties/edges/items/properties/label/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data14.is_taken !== undefined){
if(typeof data14.is_taken !== "boolean"){
const err44 = {instancePath:instancePath+"/edges/" + i1+"/is_taken",schemaPath:"#/properties/edges/items/properties/is_taken/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
else {
const err45 = {instancePath:instancePath+"/edges/" + i1,schemaPath:"#/properties/edges/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/edges",schemaPath:"#/properties/edges/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
validate144.errors = vErrors;
return errors === 0;
}
validate144.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isWorkflowList: Validator<Types.WorkflowList> = validate145 as never;
const schema279 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/list.schema.json","title":"WorkflowList","description":"A page of workflows, each in its latest version, by id.","type":"object","required":["workflows","total","limit","offset"],"properties":{"workflows":{"type":"array","items":{"$ref":"summary.schema.json"}},"total":{"type":"integer","minimum":0,"description":"That fit the question, on all pages."},"limit":{"type":"integer","minimum":1},"offset":{"type":"integer","minimum":0}},"additionalProperties":false};
const schema280 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/summary.schema.json","title":"WorkflowSummary","description":"A version of a workflow, without its steps.","type":"object","required":["workflow_id","version","name","created_at"],"properties":{"workflow_id":{"$ref":"members.schema.json#/$defs/WorkflowId"},"version":{"$ref":"members.schema.json#/$defs/WorkflowVersion"},"name":{"type":"string","minLength":1},"description":{"$ref":"members.schema.json#/$defs/WorkflowText"},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"}},"additionalProperties":false};

function validate146(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/summary.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate146.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflow_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow_id"},message:"must have required property '"+"workflow_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.version === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.name === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.created_at === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore87 = errors;
for(const key0 in data){
if(errors - errorsBefore87 >= 20) break;
if(!(((((key0 === "workflow_id") || (key0 === "version")) || (key0 === "name")) || (key0 === "description")) || (key0 === "created_at"))){
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
if(data.workflow_id !== undefined){
let data0 = data.workflow_id;
if(typeof data0 === "string"){
if(!pattern18.test(data0)){
const err5 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
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
const err6 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.version !== undefined){
let data1 = data.version;
if(typeof data1 === "string"){
if(!pattern62.test(data1)){
const err7 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(func1(data2) < 1){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined){
let data3 = data.description;
if(typeof data3 === "string"){
if(func1(data3) > 4000){
const err11 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/description",schemaPath:"members.schema.json#/$defs/WorkflowText/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.created_at !== undefined){
let data4 = data.created_at;
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
const err13 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate146.errors = vErrors;
return errors === 0;
}
validate146.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate145(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/list.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate145.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflows === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflows"},message:"must have required property '"+"workflows"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.total === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "total"},message:"must have required property '"+"total"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.limit === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "limit"},message:"must have required property '"+"limit"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.offset === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "offset"},message:"must have required property '"+"offset"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore88 = errors;
for(const key0 in data){
if(errors - errorsBefore88 >= 20) break;
if(!((((key0 === "workflows") || (key0 === "total")) || (key0 === "limit")) || (key0 === "offset"))){
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
if(data.workflows !== undefined){
let data0 = data.workflows;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore32 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore32 < 20; i0++){
if(!(validate146(data0[i0], {instancePath:instancePath+"/workflows/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate146.errors : vErrors.concat(validate146.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/workflows",schemaPath:"#/properties/workflows/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.total !== undefined){
let data2 = data.total;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err6 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err8 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.offset !== undefined){
let data4 = data.offset;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err11 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate145.errors = vErrors;
return errors === 0;
}
validate145.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isStepId: Validator<Types.StepId> = validate148 as never;

function validate148(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate148.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern55.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
validate148.errors = vErrors;
return errors === 0;
}
validate148.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isWorkflowId: Validator<Types.WorkflowId> = validate149 as never;

function validate149(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate149.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern18.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
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
validate149.errors = vErrors;
return errors === 0;
}
validate149.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isWorkflowVersion: Validator<Types.WorkflowVersion> = validate150 as never;

function validate150(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate150.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern62.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
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
validate150.errors = vErrors;
return errors === 0;
}
validate150.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isStepTitle: Validator<Types.StepTitle> = validate151 as never;

function validate151(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate151.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 255){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
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
validate151.errors = vErrors;
return errors === 0;
}
validate151.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isWorkflowText: Validator<Types.WorkflowText> = validate152 as never;

function validate152(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate152.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 4000){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters"};
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
validate152.errors = vErrors;
return errors === 0;
}
validate152.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isStepType: Validator<Types.StepType> = validate153 as never;

function validate153(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate153.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((data === "agent") || (data === "parallel")) || (data === "conditional")) || (data === "loop")) || (data === "fork_join"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema215.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate153.errors = vErrors;
return errors === 0;
}
validate153.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isNextStep: Validator<Types.NextStep> = validate154 as never;

function validate154(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate154.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (data !== null)){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema237.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(typeof data === "string"){
if(func1(data) > 64){
const err1 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(func1(data) < 1){
const err2 = {instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
validate154.errors = vErrors;
return errors === 0;
}
validate154.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isStepList: Validator<Types.StepList> = validate155 as never;

function validate155(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate155.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(data.length < 1){
const err0 = {instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const len0 = data.length;
const errorsBefore33 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore33 < 20; i0++){
let data0 = data[i0];
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/StepId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"#/$defs/StepId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate155.errors = vErrors;
return errors === 0;
}
validate155.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const isStepParallelism: Validator<Types.StepParallelism> = validate156 as never;

function validate156(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate156.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data == "number") && (isFinite(data))){
if(data > 1000 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data < 1 || isNaN(data)){
const err2 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
validate156.errors = vErrors;
return errors === 0;
}
validate156.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isStepTimeout: Validator<Types.StepTimeout> = validate157 as never;

function validate157(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate157.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data == "number") && (isFinite(data))){
if(data > 604800000 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800000},message:"must be <= 604800000"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data < 100 || isNaN(data)){
const err2 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
validate157.errors = vErrors;
return errors === 0;
}
validate157.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isOnStepError: Validator<Types.OnStepError> = validate158 as never;

function validate158(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate158.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((data === "fail") || (data === "continue"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema236.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate158.errors = vErrors;
return errors === 0;
}
validate158.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isRunId: Validator<Types.RunId> = validate159 as never;

function validate159(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate159.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern55.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
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
validate159.errors = vErrors;
return errors === 0;
}
validate159.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isRunState: Validator<Types.RunState> = validate160 as never;

function validate160(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate160.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((((data === "pending") || (data === "running")) || (data === "succeeded")) || (data === "failed")) || (data === "canceled")) || (data === "timed_out"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema270.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate160.errors = vErrors;
return errors === 0;
}
validate160.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isStepState: Validator<Types.StepState> = validate161 as never;

function validate161(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate161.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((((data === "pending") || (data === "running")) || (data === "succeeded")) || (data === "failed")) || (data === "canceled")) || (data === "skipped"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema104.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate161.errors = vErrors;
return errors === 0;
}
validate161.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isStepPath: Validator<Types.StepPath> = validate162 as never;

function validate162(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate162.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func1(data) > 1024){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
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
validate162.errors = vErrors;
return errors === 0;
}
validate162.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isRunRevision: Validator<Types.RunRevision> = validate163 as never;

function validate163(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate163.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((typeof data == "number") && (isFinite(data))){
if(data < 0 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
validate163.errors = vErrors;
return errors === 0;
}
validate163.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isRunProblemKind: Validator<Types.RunProblemKind> = validate164 as never;

function validate164(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate164.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((((((((data === "agent_failed") || (data === "step_timed_out")) || (data === "run_timed_out")) || (data === "mapping_failed")) || (data === "condition_failed")) || (data === "collection_invalid")) || (data === "join_failed")) || (data === "step_failed")) || (data === "run_too_large")) || (data === "canceled")) || (data === "internal"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema107.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate164.errors = vErrors;
return errors === 0;
}
validate164.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const isWorkflowRecord: Validator<Types.WorkflowRecord> = validate165 as never;
const schema303 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/record.schema.json","title":"WorkflowRecord","description":"A version of a workflow as it is stored.","type":"object","required":["workflow_id","version","created_at","definition"],"properties":{"workflow_id":{"$ref":"members.schema.json#/$defs/WorkflowId"},"version":{"$ref":"members.schema.json#/$defs/WorkflowVersion"},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"definition":{"$ref":"definition.schema.json"}},"additionalProperties":false};

function validate165(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/record.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate165.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflow_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow_id"},message:"must have required property '"+"workflow_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.version === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.created_at === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.definition === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore89 = errors;
for(const key0 in data){
if(errors - errorsBefore89 >= 20) break;
if(!((((key0 === "workflow_id") || (key0 === "version")) || (key0 === "created_at")) || (key0 === "definition"))){
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
if(data.workflow_id !== undefined){
let data0 = data.workflow_id;
if(typeof data0 === "string"){
if(!pattern18.test(data0)){
const err5 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
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
const err6 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.version !== undefined){
let data1 = data.version;
if(typeof data1 === "string"){
if(!pattern62.test(data1)){
const err7 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.created_at !== undefined){
let data2 = data.created_at;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err9 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.definition !== undefined){
if(!(validate134(data.definition, {instancePath:instancePath+"/definition",parentData:data,parentDataProperty:"definition",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate134.errors : vErrors.concat(validate134.errors);
errors = vErrors.length;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate165.errors = vErrors;
return errors === 0;
}
validate165.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isWorkflowReport: Validator<Types.WorkflowReport> = validate167 as never;
const schema307 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/report.schema.json","title":"WorkflowReport","description":"What the validator says of a definition.","type":"object","required":["valid","problems"],"properties":{"valid":{"type":"boolean"},"problems":{"type":"array","items":{"$ref":"../jsonrpc/param-problem.schema.json"},"description":"All of them, each at a JSON pointer."}},"additionalProperties":false};

function validate167(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/report.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate167.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.valid === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "valid"},message:"must have required property '"+"valid"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.problems === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "problems"},message:"must have required property '"+"problems"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const errorsBefore90 = errors;
for(const key0 in data){
if(errors - errorsBefore90 >= 20) break;
if(!((key0 === "valid") || (key0 === "problems"))){
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
if(data.valid !== undefined){
if(typeof data.valid !== "boolean"){
const err3 = {instancePath:instancePath+"/valid",schemaPath:"#/properties/valid/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.problems !== undefined){
let data1 = data.problems;
if(Array.isArray(data1)){
const len0 = data1.length;
const errorsBefore34 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore34 < 20; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.pointer === undefined){
const err4 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/required",keyword:"required",params:{missingProperty: "pointer"},message:"must have required property '"+"pointer"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data2.message === undefined){
const err5 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const errorsBefore91 = errors;
for(const key1 in data2){
if(errors - errorsBefore91 >= 20) break;
if(!((key1 === "pointer") || (key1 === "message"))){
const err6 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data2.pointer !== undefined){
if(typeof data2.pointer !== "string"){
const err7 = {instancePath:instancePath+"/problems/" + i0+"/pointer",schemaPath:"../jsonrpc/param-problem.schema.json/properties/pointer/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data2.message !== undefined){
if(typeof data2.message !== "string"){
const err8 = {instancePath:instancePath+"/problems/" + i0+"/message",schemaPath:"../jsonrpc/param-problem.schema.json/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err9 = {instancePath:instancePath+"/problems/" + i0,schemaPath:"../jsonrpc/param-problem.schema.json/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err10 = {instancePath:instancePath+"/problems",schemaPath:"#/properties/problems/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate167.errors = vErrors;
return errors === 0;
}
validate167.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isWorkflowRunEvent: Validator<Types.WorkflowRunEvent> = validate168 as never;
const schema309 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/run-event.schema.json","title":"WorkflowRunEvent","description":"A change of a run, as it is sent to those who watch. After the last one the run is final.","type":"object","discriminator":{"propertyName":"type"},"oneOf":[{"title":"RunChanged","description":"The run itself has a new state; `output` is any JSON.","required":["type","run_id","revision","at","state"],"properties":{"type":{"const":"run"},"run_id":{"$ref":"members.schema.json#/$defs/RunId"},"revision":{"$ref":"members.schema.json#/$defs/RunRevision"},"at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"state":{"$ref":"members.schema.json#/$defs/RunState"},"output":{},"error":{"$ref":"run-problem.schema.json"}},"additionalProperties":false},{"title":"StepChanged","description":"A step is there, or has a new state.","required":["type","run_id","revision","at","step"],"properties":{"type":{"const":"step"},"run_id":{"$ref":"members.schema.json#/$defs/RunId"},"revision":{"$ref":"members.schema.json#/$defs/RunRevision"},"at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"step":{"$ref":"step-record.schema.json"}},"additionalProperties":false}]};

function validate168(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/run-event.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate168.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
const tag0 = data.type;
if(typeof tag0 == "string"){
if(tag0 === "run"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.run_id === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.revision === undefined){
const err2 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.at === undefined){
const err3 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.state === undefined){
const err4 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const errorsBefore92 = errors;
for(const key0 in data){
if(errors - errorsBefore92 >= 20) break;
if(!(((((((key0 === "type") || (key0 === "run_id")) || (key0 === "revision")) || (key0 === "at")) || (key0 === "state")) || (key0 === "output")) || (key0 === "error"))){
const err5 = {instancePath,schemaPath:"#/oneOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.type !== undefined){
if("run" !== data.type){
const err6 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/0/properties/type/const",keyword:"const",params:{allowedValue: "run"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.run_id !== undefined){
let data1 = data.run_id;
if(typeof data1 === "string"){
if(!pattern55.test(data1)){
const err7 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.revision !== undefined){
let data2 = data.revision;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err9 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err10 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data.at !== undefined){
let data3 = data.at;
if(typeof data3 === "string"){
if(!pattern4.test(data3)){
const err11 = {instancePath:instancePath+"/at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.state !== undefined){
let data4 = data.state;
if(!((((((data4 === "pending") || (data4 === "running")) || (data4 === "succeeded")) || (data4 === "failed")) || (data4 === "canceled")) || (data4 === "timed_out"))){
const err13 = {instancePath:instancePath+"/state",schemaPath:"members.schema.json#/$defs/RunState/enum",keyword:"enum",params:{allowedValues: schema270.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.error !== undefined){
if(!(validate130(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
}
}
var props0 = true;
}
else if(tag0 === "step"){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err14 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data.run_id === undefined){
const err15 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data.revision === undefined){
const err16 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data.at === undefined){
const err17 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data.step === undefined){
const err18 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "step"},message:"must have required property '"+"step"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
const errorsBefore93 = errors;
for(const key1 in data){
if(errors - errorsBefore93 >= 20) break;
if(!(((((key1 === "type") || (key1 === "run_id")) || (key1 === "revision")) || (key1 === "at")) || (key1 === "step"))){
const err19 = {instancePath,schemaPath:"#/oneOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.type !== undefined){
if("step" !== data.type){
const err20 = {instancePath:instancePath+"/type",schemaPath:"#/oneOf/1/properties/type/const",keyword:"const",params:{allowedValue: "step"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.run_id !== undefined){
let data7 = data.run_id;
if(typeof data7 === "string"){
if(!pattern55.test(data7)){
const err21 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.revision !== undefined){
let data8 = data.revision;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err23 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err24 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
if(data.at !== undefined){
let data9 = data.at;
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
const err25 = {instancePath:instancePath+"/at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.step !== undefined){
if(!(validate129(data.step, {instancePath:instancePath+"/step",parentData:data,parentDataProperty:"step",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
errors = vErrors.length;
}
}
}
if(props0 !== true){
props0 = true;
}
}
else {
const err27 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag0},message:"value of tag \"type\" must be in oneOf"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag0},message:"tag \"type\" must be string"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
validate168.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate168.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const isRunList: Validator<Types.RunList> = validate171 as never;
const schema317 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/run-list.schema.json","title":"RunList","description":"A page of runs, latest first.","type":"object","required":["runs","total","limit","offset"],"properties":{"runs":{"type":"array","items":{"$ref":"run-summary.schema.json"}},"total":{"type":"integer","minimum":0,"description":"That fit the question, on all pages."},"limit":{"type":"integer","minimum":1},"offset":{"type":"integer","minimum":0}},"additionalProperties":false};
const schema318 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/run-summary.schema.json","title":"WorkflowRunSummary","description":"A run without its steps.","type":"object","required":["run_id","workflow_id","version","name","state","revision","correlation_id","created_at"],"properties":{"run_id":{"$ref":"members.schema.json#/$defs/RunId"},"workflow_id":{"$ref":"members.schema.json#/$defs/WorkflowId"},"version":{"$ref":"members.schema.json#/$defs/WorkflowVersion"},"name":{"type":"string","minLength":1},"state":{"$ref":"members.schema.json#/$defs/RunState"},"revision":{"$ref":"members.schema.json#/$defs/RunRevision"},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"error":{"$ref":"run-problem.schema.json"},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"started_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"ended_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"deadline":{"$ref":"../common.schema.json#/$defs/Timestamp"}},"additionalProperties":false};

function validate172(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/run-summary.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate172.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.workflow_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow_id"},message:"must have required property '"+"workflow_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.version === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.name === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.state === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.revision === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.correlation_id === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.created_at === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const errorsBefore94 = errors;
for(const key0 in data){
if(errors - errorsBefore94 >= 20) break;
if(!(func58.call(schema318.properties, key0))){
const err8 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err9 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.workflow_id !== undefined){
let data1 = data.workflow_id;
if(typeof data1 === "string"){
if(!pattern18.test(data1)){
const err11 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.version !== undefined){
let data2 = data.version;
if(typeof data2 === "string"){
if(!pattern62.test(data2)){
const err13 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.name !== undefined){
let data3 = data.name;
if(typeof data3 === "string"){
if(func1(data3) < 1){
const err15 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.state !== undefined){
let data4 = data.state;
if(!((((((data4 === "pending") || (data4 === "running")) || (data4 === "succeeded")) || (data4 === "failed")) || (data4 === "canceled")) || (data4 === "timed_out"))){
const err17 = {instancePath:instancePath+"/state",schemaPath:"members.schema.json#/$defs/RunState/enum",keyword:"enum",params:{allowedValues: schema270.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.revision !== undefined){
let data5 = data.revision;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err18 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err19 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.correlation_id !== undefined){
let data6 = data.correlation_id;
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
const err20 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.error !== undefined){
if(!(validate130(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
}
if(data.created_at !== undefined){
let data8 = data.created_at;
if(typeof data8 === "string"){
if(!pattern4.test(data8)){
const err22 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
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
const err23 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.started_at !== undefined){
let data9 = data.started_at;
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
const err24 = {instancePath:instancePath+"/started_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/started_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.ended_at !== undefined){
let data10 = data.ended_at;
if(typeof data10 === "string"){
if(!pattern4.test(data10)){
const err26 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.deadline !== undefined){
let data11 = data.deadline;
if(typeof data11 === "string"){
if(!pattern4.test(data11)){
const err28 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err30 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
validate172.errors = vErrors;
return errors === 0;
}
validate172.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate171(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/run-list.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate171.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.runs === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "runs"},message:"must have required property '"+"runs"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.total === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "total"},message:"must have required property '"+"total"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.limit === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "limit"},message:"must have required property '"+"limit"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.offset === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "offset"},message:"must have required property '"+"offset"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const errorsBefore95 = errors;
for(const key0 in data){
if(errors - errorsBefore95 >= 20) break;
if(!((((key0 === "runs") || (key0 === "total")) || (key0 === "limit")) || (key0 === "offset"))){
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
if(data.runs !== undefined){
let data0 = data.runs;
if(Array.isArray(data0)){
const len0 = data0.length;
const errorsBefore35 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore35 < 20; i0++){
if(!(validate172(data0[i0], {instancePath:instancePath+"/runs/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate172.errors : vErrors.concat(validate172.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/runs",schemaPath:"#/properties/runs/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.total !== undefined){
let data2 = data.total;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err6 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.limit !== undefined){
let data3 = data.limit;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err8 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.offset !== undefined){
let data4 = data.offset;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err11 = {instancePath:instancePath+"/offset",schemaPath:"#/properties/offset/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate171.errors = vErrors;
return errors === 0;
}
validate171.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isRunProblem: Validator<Types.RunProblem> = validate130 as never;

export const isWorkflowRunSummary: Validator<Types.WorkflowRunSummary> = validate172 as never;

export const isWorkflowRun: Validator<Types.WorkflowRun> = validate175 as never;
const schema329 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/run.schema.json","title":"WorkflowRun","description":"A run with every step, and the definition it runs whatever became of the workflow since. `input` and `output` are any JSON.","type":"object","required":["run_id","workflow_id","version","name","state","revision","correlation_id","created_at","definition","steps"],"properties":{"run_id":{"$ref":"members.schema.json#/$defs/RunId"},"workflow_id":{"$ref":"members.schema.json#/$defs/WorkflowId"},"version":{"$ref":"members.schema.json#/$defs/WorkflowVersion"},"name":{"type":"string","minLength":1},"state":{"$ref":"members.schema.json#/$defs/RunState"},"revision":{"$ref":"members.schema.json#/$defs/RunRevision"},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"},"error":{"$ref":"run-problem.schema.json"},"created_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"started_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"ended_at":{"$ref":"../common.schema.json#/$defs/Timestamp"},"deadline":{"$ref":"../common.schema.json#/$defs/Timestamp"},"input":{},"output":{},"definition":{"$ref":"definition.schema.json"},"steps":{"type":"array","items":{"$ref":"step-record.schema.json"}}},"additionalProperties":false};

function validate175(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/run.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate175.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.run_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.workflow_id === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow_id"},message:"must have required property '"+"workflow_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.version === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.name === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.state === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state"},message:"must have required property '"+"state"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.revision === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "revision"},message:"must have required property '"+"revision"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.correlation_id === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "correlation_id"},message:"must have required property '"+"correlation_id"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.created_at === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.definition === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.steps === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "steps"},message:"must have required property '"+"steps"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
const errorsBefore96 = errors;
for(const key0 in data){
if(errors - errorsBefore96 >= 20) break;
if(!(func58.call(schema329.properties, key0))){
const err10 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.run_id !== undefined){
let data0 = data.run_id;
if(typeof data0 === "string"){
if(!pattern55.test(data0)){
const err11 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/run_id",schemaPath:"members.schema.json#/$defs/RunId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.workflow_id !== undefined){
let data1 = data.workflow_id;
if(typeof data1 === "string"){
if(!pattern18.test(data1)){
const err13 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.version !== undefined){
let data2 = data.version;
if(typeof data2 === "string"){
if(!pattern62.test(data2)){
const err15 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.name !== undefined){
let data3 = data.name;
if(typeof data3 === "string"){
if(func1(data3) < 1){
const err17 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.state !== undefined){
let data4 = data.state;
if(!((((((data4 === "pending") || (data4 === "running")) || (data4 === "succeeded")) || (data4 === "failed")) || (data4 === "canceled")) || (data4 === "timed_out"))){
const err19 = {instancePath:instancePath+"/state",schemaPath:"members.schema.json#/$defs/RunState/enum",keyword:"enum",params:{allowedValues: schema270.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.revision !== undefined){
let data5 = data.revision;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err20 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err21 = {instancePath:instancePath+"/revision",schemaPath:"members.schema.json#/$defs/RunRevision/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
if(data.correlation_id !== undefined){
let data6 = data.correlation_id;
if(typeof data6 === "string"){
if(!pattern6.test(data6)){
const err22 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
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
const err23 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.error !== undefined){
if(!(validate130(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
}
if(data.created_at !== undefined){
let data8 = data.created_at;
if(typeof data8 === "string"){
if(!pattern4.test(data8)){
const err24 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/created_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.started_at !== undefined){
let data9 = data.started_at;
if(typeof data9 === "string"){
if(!pattern4.test(data9)){
const err26 = {instancePath:instancePath+"/started_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/started_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.ended_at !== undefined){
let data10 = data.ended_at;
if(typeof data10 === "string"){
if(!pattern4.test(data10)){
const err28 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/ended_at",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.deadline !== undefined){
let data11 = data.deadline;
if(typeof data11 === "string"){
if(!pattern4.test(data11)){
const err30 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"},message:"must match pattern \""+"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]{1,9})?(Z|(\\+|-)([01][0-9]|2[0-3]):[0-5][0-9])?$"+"\""};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/deadline",schemaPath:"../common.schema.json#/$defs/Timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.definition !== undefined){
if(!(validate134(data.definition, {instancePath:instancePath+"/definition",parentData:data,parentDataProperty:"definition",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate134.errors : vErrors.concat(validate134.errors);
errors = vErrors.length;
}
}
if(data.steps !== undefined){
let data13 = data.steps;
if(Array.isArray(data13)){
const len0 = data13.length;
const errorsBefore36 = errors;
for(let i0=0; i0<len0 && errors - errorsBefore36 < 20; i0++){
if(!(validate129(data13[i0], {instancePath:instancePath+"/steps/" + i0,parentData:data13,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
errors = vErrors.length;
}
}
}
else {
const err32 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
validate175.errors = vErrors;
return errors === 0;
}
validate175.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isStartRunRequest: Validator<Types.StartRunRequest> = validate179 as never;
const schema340 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://crosszone.dev/schemas/workflow/start-run-request.schema.json","title":"StartRunRequest","description":"Asks for a run, of the latest version unless one is named. `input` is what `${workflow.input}` refers to, any JSON; `{}` when absent. The header `Idempotency-Key` makes it safe to send again.","type":"object","required":["workflow_id"],"properties":{"workflow_id":{"$ref":"members.schema.json#/$defs/WorkflowId"},"version":{"$ref":"members.schema.json#/$defs/WorkflowVersion"},"input":{},"deadline_ms":{"type":"integer","minimum":100,"maximum":604800000,"description":"Shortens the definition's own."},"correlation_id":{"$ref":"../common.schema.json#/$defs/CorrelationId"}},"additionalProperties":false};

function validate179(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="https://crosszone.dev/schemas/workflow/start-run-request.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate179.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.workflow_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "workflow_id"},message:"must have required property '"+"workflow_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const errorsBefore97 = errors;
for(const key0 in data){
if(errors - errorsBefore97 >= 20) break;
if(!(((((key0 === "workflow_id") || (key0 === "version")) || (key0 === "input")) || (key0 === "deadline_ms")) || (key0 === "correlation_id"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.workflow_id !== undefined){
let data0 = data.workflow_id;
if(typeof data0 === "string"){
if(!pattern18.test(data0)){
const err2 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"+"\""};
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
const err3 = {instancePath:instancePath+"/workflow_id",schemaPath:"members.schema.json#/$defs/WorkflowId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.version !== undefined){
let data1 = data.version;
if(typeof data1 === "string"){
if(!pattern62.test(data1)){
const err4 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"+"\""};
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
const err5 = {instancePath:instancePath+"/version",schemaPath:"members.schema.json#/$defs/WorkflowVersion/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.deadline_ms !== undefined){
let data2 = data.deadline_ms;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err6 = {instancePath:instancePath+"/deadline_ms",schemaPath:"#/properties/deadline_ms/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 604800000 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/deadline_ms",schemaPath:"#/properties/deadline_ms/maximum",keyword:"maximum",params:{comparison: "<=", limit: 604800000},message:"must be <= 604800000"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2 < 100 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/deadline_ms",schemaPath:"#/properties/deadline_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100},message:"must be >= 100"};
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
if(data.correlation_id !== undefined){
let data3 = data.correlation_id;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err9 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/pattern",keyword:"pattern",params:{pattern: "^[!-~]{1,128}$"},message:"must match pattern \""+"^[!-~]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/correlation_id",schemaPath:"../common.schema.json#/$defs/CorrelationId/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate179.errors = vErrors;
return errors === 0;
}
validate179.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const isWorkflowStepRecord: Validator<Types.WorkflowStepRecord> = validate129 as never;

export const isWorkflowStep: Validator<Types.WorkflowStep> = validate135 as never;

export const isWorkflowSummary: Validator<Types.WorkflowSummary> = validate146 as never;
