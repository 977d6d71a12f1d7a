/**
 * The optimizer service against a real broker: {@link
 * dev.abacus.deploy.optimizer.OptimizerServiceIT}, with {@link
 * dev.abacus.deploy.optimizer.FakeDataPlane} on the other side of the topics.
 */
@NullMarked
package dev.abacus.deploy.optimizer;

import org.jspecify.annotations.NullMarked;
