package io.spillway.capacity.http;

import java.net.http.HttpHeaders;

/**
 * An answer in the 200s.
 *
 * @param json the body
 * @param headers of the answer
 */
public record HttpAnswer(JsonView json, HttpHeaders headers) {}
