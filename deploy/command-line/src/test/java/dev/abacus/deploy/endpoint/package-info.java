/**
 * The whole stack against an endpoint that limits, refuses and fails as real ones do: {@link
 * dev.abacus.deploy.endpoint.StrictEndpointIT} and {@link dev.abacus.deploy.endpoint.StrictRunIT}.
 * {@link dev.abacus.deploy.endpoint.OpenAiFields} states the fields of OpenAI's API.
 */
@NullMarked
package dev.abacus.deploy.endpoint;

import org.jspecify.annotations.NullMarked;
