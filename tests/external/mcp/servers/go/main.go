// A server of tools: over the standard streams, or over HTTP on the port of the only argument.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type none struct{}

type sum struct {
	Total int `json:"total"`
}

type search struct {
	Tags  []any   `json:"tags,omitempty"`
	Kind  *string `json:"kind,omitempty"`
	Limit any     `json:"limit,omitempty"`
}

type people struct {
	Names []string `json:"names"`
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "tools"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "total"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, sum, error) {
		return nil, sum{Total: 36}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "names"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, people, error) {
		return nil, people{Names: []string{"Ada", "Grace"}}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "nothing"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "fails"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no such page")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "find"}, func(_ context.Context, _ *mcp.CallToolRequest, given search) (*mcp.CallToolResult, any, error) {
		text := fmt.Sprintf("%v %v %v", given.Tags, given.Kind, given.Limit)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
	return server
}

func main() {
	if len(os.Args) == 1 {
		log.Fatal(newServer().Run(context.Background(), &mcp.StdioTransport{}))
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer() }, nil)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], handler))
}
