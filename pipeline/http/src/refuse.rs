//! The word to a connection for which there is no room.

use std::time::Duration;

use fdna_api::{ApiInfo, ErrorBody, ErrorCode, Failure, Id};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::request_id;

/// How long the refusal is left to arrive: closing with the request unread would take it back.
const PATIENCE: Duration = Duration::from_secs(1);

/// Answers 503 unasked, and closes.
pub(crate) async fn refuse_connection(mut stream: TcpStream, api: &'static ApiInfo) {
    let _ = tokio::time::timeout(PATIENCE, async {
        stream.write_all(&refusal_bytes(api)).await?;
        stream.shutdown().await?;
        let mut unread = [0; 1024];
        while stream.read(&mut unread).await? > 0 {}
        Ok::<_, std::io::Error>(())
    })
    .await;
}

fn refusal_bytes(api: &'static ApiInfo) -> Vec<u8> {
    let failure = Failure::new(ErrorCode::Overloaded, "Service temporarily overloaded; please retry").by(api);
    let id = request_id();
    let body = serde_json::to_string(&ErrorBody::new(&failure, Id(id))).unwrap_or_default();
    let length = body.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         retry-after: 1\r\ncache-control: no-store\r\nx-request-id: {id}\r\nconnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}
