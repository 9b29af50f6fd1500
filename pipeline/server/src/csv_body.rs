//! A table's rows as CSV on their way to a client: a piece is read and written when the client wants it, so that however
//! slowly one reads, a piece is all that it holds.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use fdna_view::TableCsv;
use http_body::Frame;
use tokio::task::JoinHandle;

use crate::downloads::{DownloadPermit, TableFile};

/// A reader that gave a piece, to be used again; without a piece it is at its end.
type ReadPiece = (TableCsv, Option<io::Result<Vec<u8>>>);

struct CsvBody {
    /// At rest; none while a piece is read, and after the last.
    reader: Option<TableCsv>,
    reading: Option<JoinHandle<ReadPiece>>,
    file: Arc<TableFile>,
    permit: DownloadPermit,
}

/// The rows of a table for a client.
pub(crate) fn csv_body(file: Arc<TableFile>, reader: TableCsv, permit: DownloadPermit) -> Body {
    Body::new(CsvBody { reader: Some(reader), reading: None, file, permit })
}

impl HttpBody for CsvBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(mut reader) = self.reader.take() {
            self.reading = Some(tokio::task::spawn_blocking(move || {
                let piece = reader.next();
                (reader, piece)
            }));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(cx));
        self.reading = None;
        match read.map_err(io::Error::other) {
            Ok((_, None)) => Poll::Ready(None),
            Ok((reader, Some(Ok(piece)))) => {
                self.reader = Some(reader);
                Poll::Ready(Some(Ok(Frame::data(piece.into()))))
            }
            Ok((_, Some(Err(error)))) | Err(error) => {
                self.permit.report_damage(&self.file.snapshot_id, &error);
                Poll::Ready(Some(Err(error)))
            }
        }
    }
}
