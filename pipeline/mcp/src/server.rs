//! The server of the protocol, and its transport over standard input and output.

use std::sync::Arc;

use fdna_server::openapi_document;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::Refusal;
use crate::call::call_tool;
use crate::questions::QueryRunner;
use crate::tool_context::{ServedLakes, TURNS, ToolContext};
use crate::tool_file::ToolFile;
use crate::tools::listed_tool;

/// Answers the requests of the protocol.
#[derive(Debug, Clone)]
pub struct McpServer {
    shared: Arc<ToolContext>,
}

impl McpServer {
    /// Over these lakes; `queries` runs the SQL of the tool `sql`.
    #[must_use]
    pub fn new(lakes: ServedLakes, queries: Arc<dyn QueryRunner>) -> Self {
        let ToolFile { instructions, tools } = ToolFile::read();
        let document: Value = serde_json::from_slice(openapi_document()).unwrap_or_default();
        let listed = tools.iter().map(|entry| listed_tool(entry, &document)).collect();
        let turns = Arc::new(Semaphore::new(TURNS));
        Self { shared: Arc::new(ToolContext { instructions, entries: tools, listed, lakes, queries, turns }) }
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let implementation =
            Implementation::new("fightdna", env!("CARGO_PKG_VERSION")).with_title("Fight DNA");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation)
            .with_instructions(self.shared.instructions.trim())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.shared.listed.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.listed.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.shared.entries.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = self.shared.entries.iter().map(|tool| tool.name.as_str()).collect();
            let message = format!("no tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let answered = call_tool(&self.shared, tool, request.arguments.unwrap_or_default()).await;
        Ok(answered.map_or_else(|refusal| refused(&refusal), CallToolResult::structured).into())
    }
}

/// A refusal as a result that a model reads.
fn refused(refusal: &Refusal) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(refusal.to_json().to_string())])
}

/// Serves whoever has started this process, until standard input ends.
///
/// # Errors
/// The client does not speak the protocol.
pub async fn serve_stdio(server: McpServer) -> Result<(), rmcp::RmcpError> {
    let running = server.serve(rmcp::transport::stdio()).await.map_err(rmcp::RmcpError::from)?;
    let ended = running.waiting().await;
    tracing::info!(reason = ?ended, "standard input ended");
    Ok(())
}
