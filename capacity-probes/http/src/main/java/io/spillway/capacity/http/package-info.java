/** The one HTTP client pattern of providers without an SDK: retries, limits, paging, redaction. */
package io.spillway.capacity.http;
