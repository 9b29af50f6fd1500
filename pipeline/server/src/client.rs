//! Identifies the client of a request, for what is rationed by client.

use std::net::IpAddr;

use axum::http::request::Parts;
use fdna_http::{PeerAddress, X_GATEWAY_CLIENT};

/// Characters of a name that a gateway gives, at most.
const MAX_NAME: usize = 64;

/// A client: whom a gateway names, else an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ClientId(Box<str>);

impl ClientId {
    /// Of a request. The gateway's word is taken from this machine, or where only who has the server's key gets this
    /// far; anybody else could take another name for each request. `None` for a gateway that names nobody: it stands for
    /// all of its clients.
    pub(crate) fn of(head: &Parts, has_key: bool) -> Option<Self> {
        let peer = head.extensions.get::<PeerAddress>().map(|peer| peer.0.ip());
        if !has_key && !peer.is_some_and(|peer| peer.to_canonical().is_loopback()) {
            return peer.map(|peer| Self(network(peer).into()));
        }
        let name = head.headers.get(X_GATEWAY_CLIENT).and_then(|name| name.to_str().ok());
        name.filter(|name| (1..=MAX_NAME).contains(&name.len()))
            .map(|name| Self(format!("gateway {name}").into()))
    }

    /// Of a client whom a server of another product knows by this name.
    pub(crate) fn named(name: &str) -> Self {
        Self(name.into())
    }
}

/// An address of IPv6 is one of the many that a client has.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x?}/64", &address.segments()[..4]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn of(peer: &str, gateway: Option<&str>, has_key: bool) -> Option<ClientId> {
        let mut request = Request::new(());
        request.extensions_mut().insert(PeerAddress(peer.parse().unwrap()));
        gateway.map(|name| request.headers_mut().insert(X_GATEWAY_CLIENT, name.parse().unwrap()));
        ClientId::of(&request.into_parts().0, has_key)
    }

    #[test]
    fn a_client_is_its_address_whatever_its_port_and_its_network_in_ipv6() {
        assert_eq!(of("192.0.2.1:1", None, false), of("192.0.2.1:2", None, false));
        assert_ne!(of("192.0.2.1:1", None, false), of("192.0.2.2:1", None, false));
        assert_eq!(of("[2001:db8::1]:1", None, false), of("[2001:db8::2]:1", None, false));
        assert_ne!(of("[2001:db8::1]:1", None, false), of("[2001:db8:0:1::1]:1", None, false));
        assert_eq!(of("[::ffff:192.0.2.1]:1", None, false), of("192.0.2.1:1", None, false));
    }

    #[test]
    fn a_gateways_word_is_taken_from_this_machine_or_with_the_key_alone() {
        let (a, b) = (Some("account-a"), Some("account-b"));
        assert_eq!(of("192.0.2.1:1", a, false), of("192.0.2.1:1", b, false));
        assert_ne!(of("192.0.2.1:1", a, true), of("192.0.2.1:1", b, true));
        assert_ne!(of("127.0.0.1:1", a, false), of("[::1]:1", b, false));
        assert_eq!(of("127.0.0.1:1", a, false), of("192.0.2.1:1", a, true));
    }

    #[test]
    fn a_gateway_that_names_nobody_is_no_client() {
        let long = "a".repeat(65);
        for name in [None, Some(""), Some(long.as_str())] {
            assert_eq!((of("127.0.0.1:1", name, false), of("192.0.2.1:1", name, true)), (None, None));
        }
        assert!(of("192.0.2.1:1", None, false).is_some());
    }
}
