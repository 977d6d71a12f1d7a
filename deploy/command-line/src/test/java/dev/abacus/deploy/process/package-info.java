/**
 * What may end at any moment: {@link dev.abacus.deploy.process.PlaneProcess} is a worker or an
 * optimizer in a JVM of its own, for tests that kill it.
 */
@NullMarked
package dev.abacus.deploy.process;

import org.jspecify.annotations.NullMarked;
