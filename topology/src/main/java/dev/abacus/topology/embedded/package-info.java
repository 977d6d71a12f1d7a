/**
 * The data plane inside another application: {@link dev.abacus.topology.embedded.EmbeddedWorker}.
 */
@NullMarked
package dev.abacus.topology.embedded;

import org.jspecify.annotations.NullMarked;
