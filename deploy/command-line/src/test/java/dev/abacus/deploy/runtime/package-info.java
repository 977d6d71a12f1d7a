/**
 * The asynchronous processor on a real broker: {@code ExactlyOnceIT} crashes instances in mid-run,
 * {@code RuntimeThroughput} measures.
 */
@NullMarked
package dev.abacus.deploy.runtime;

import org.jspecify.annotations.NullMarked;
