#!/bin/sh
# Two npm libraries replace a Web Push TTL of 0: a message that is of use only now is kept for a minute, or for a day.
#
# Seen with @block65/webcrypto-web-push 2.0.0, @pushforge/builder 2.0.5 and, for comparison, web-push 3.6.7 (Node 20):
#   block65 0 -> 60
#   pushforge 0 -> 86400
#   web-push 0 -> 0
# RFC 8030, section 5.2: a push service delivers a message with a TTL of 0 at once, or not at all. So it is the value for
# "the bell rings", which must not arrive with the first connection of the next day. Both test the number for
# truth. To limit the time, pass 1 to them instead.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @block65/webcrypto-web-push@2.0.0 @pushforge/builder@2.0.5 web-push@3.6.7 >&2
cat >seen.mjs <<'END'
import crypto from "node:crypto";
import webPush from "web-push";
import { buildPushPayload } from "@block65/webcrypto-web-push";
import { buildPushHTTPRequest } from "@pushforge/builder";

const { publicKey, privateKey } = webPush.generateVAPIDKeys();
const point = Buffer.from(publicKey, "base64url");
const privateJWK = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url"), d: privateKey };
const receiver = crypto.createECDH("prime256v1");
receiver.generateKeys();
const keys = { p256dh: receiver.getPublicKey("base64url"), auth: crypto.randomBytes(16).toString("base64url") };
const subscription = { endpoint: "https://push.example/1", expirationTime: null, keys };
const subject = "mailto:operator@example.com";

const block65 = await buildPushPayload({ data: "now", options: { ttl: 0 } }, subscription, { subject, publicKey, privateKey });
const pushforge = await buildPushHTTPRequest({ privateJWK, subscription, message: { payload: "now", adminContact: subject, options: { ttl: 0 } } });
const other = webPush.generateRequestDetails(subscription, "now", { vapidDetails: { subject, publicKey, privateKey }, TTL: 0 });
console.log(`block65 0 -> ${new Headers(block65.headers).get("TTL")}`);
console.log(`pushforge 0 -> ${new Headers(pushforge.headers).get("TTL")}`);
console.log(`web-push 0 -> ${other.headers.TTL}`);
END
node seen.mjs | tee seen
cat >want <<'END'
block65 0 -> 60
pushforge 0 -> 86400
web-push 0 -> 0
END
diff want seen
