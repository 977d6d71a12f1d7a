/**
 * References on a real broker: {@code ReferenceIT} with {@code FollowedReference}s, and {@code
 * ReferenceRestoreBenchmark} for how long a large one takes to come back.
 */
@NullMarked
package dev.abacus.deploy.reference;

import org.jspecify.annotations.NullMarked;
