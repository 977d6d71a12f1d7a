/**
 * A program as documents of other tools: {@link dev.abacus.deploy.manifest.StrimziManifests} for
 * Strimzi's operators, {@link dev.abacus.deploy.manifest.AsyncApiDocument} for AsyncAPI.
 */
@NullMarked
package dev.abacus.deploy.manifest;

import org.jspecify.annotations.NullMarked;
