import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.List;
import java.util.Map;

/** A server of tools over the standard streams. Its results have structured content only where they can. */
class ServeTools {
  static Tool tool(String name, Map<String, Object> properties) {
    return Tool.builder(name, Map.of("type", "object", "properties", properties)).build();
  }

  public static void main(String[] args) {
    var none = Map.<String, Object>of();
    var search = Map.<String, Object>of("tags", Map.of("type", "array"), "kind", Map.of("type", "string"));
    McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
        .serverInfo("tools", "1")
        .capabilities(ServerCapabilities.builder().tools(true).build())
        .toolCall(tool("total", none), (exchange, call) -> CallToolResult.builder().structuredContent(Map.of("total", 36)).build())
        .toolCall(tool("names", none), (exchange, call) -> CallToolResult.builder().structuredContent(List.of("Ada", "Grace")).build())
        .toolCall(tool("nothing", none), (exchange, call) -> CallToolResult.builder().build())
        .toolCall(tool("fails", none), (exchange, call) -> CallToolResult.builder().addTextContent("no such page").isError(true).build())
        .toolCall(tool("find", search), (exchange, call) -> CallToolResult.builder().addTextContent(String.valueOf(call.arguments())).build())
        .build();
  }
}
