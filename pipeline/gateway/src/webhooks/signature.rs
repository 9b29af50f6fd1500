//! Secrets and signatures by the Standard Webhooks specification: HMAC-SHA256 of `id.timestamp.body`, in base 64.
//!
//! A secret is shown once, when it is made. `Debug` does not print it.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::key::RandomError;

/// Prefix of every secret.
const PREFIX: &str = "whsec_";

/// Bytes of a new secret; the specification allows 24 to 64.
const SECRET_BYTES: usize = 32;

/// The secret that an endpoint's messages are signed with.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

impl WebhookSecret {
    /// A new secret, from the operating system's random numbers.
    ///
    /// # Errors
    /// The operating system returns none.
    pub fn generate() -> Result<Self, RandomError> {
        let mut bytes = vec![0; SECRET_BYTES];
        getrandom::fill(&mut bytes).map_err(RandomError)?;
        Ok(Self(bytes))
    }

    /// The secret of this text, `whsec_` and base 64; `None` if it is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        (24..=64).contains(&bytes.len()).then_some(Self(bytes))
    }

    pub(crate) fn of_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn stored_bytes(&self) -> Vec<u8> {
        self.0.clone()
    }

    /// The whole secret, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(&self.0))
    }

    /// Signature of a message as `webhook-signature` has it: `v1,` and base 64. The time is in seconds since 1970.
    #[must_use]
    pub fn sign_message(&self, id: &str, timestamp: i64, body: &str) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { unreachable!("HMAC takes any key") };
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body.as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tests of the specification's libraries.
    #[test]
    fn a_known_message_has_the_known_signature() {
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed =
            secret.sign_message("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_is_read_back_and_never_printed() {
        let secret = WebhookSecret::generate().unwrap();
        assert_eq!(WebhookSecret::parse(&secret.reveal()), Some(secret.clone()));
        assert_ne!(WebhookSecret::generate().unwrap(), secret);
        assert_eq!(format!("{secret:?}"), "WebhookSecret(…)");
        for wrong in ["", "whsec_", "whsec_!", "whsec_QUJD", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert_eq!(WebhookSecret::parse(wrong), None, "{wrong}");
        }
    }
}
