/**
 * Faults on request: {@link dev.abacus.deploy.simulator.fault.FaultKind} (which), {@link
 * dev.abacus.deploy.simulator.fault.FaultRates} (how often), {@link
 * dev.abacus.deploy.simulator.fault.FaultInjector} (when).
 */
@NullMarked
package dev.abacus.deploy.simulator.fault;

import org.jspecify.annotations.NullMarked;
