/**
 * Who calls, and what they may do. A bearer token is looked up in the static token file (hashes
 * only, reloaded on change) or verified as a JWT when OIDC is on; either way a caller has roles,
 * and a submitter also has queues. Resources demand a capability ({@link
 * io.spillway.server.security.Can}), never a role; use cases ask {@link
 * io.spillway.server.security.Caller} about queues. Without any configured source nobody gets in.
 */
package io.spillway.server.security;
