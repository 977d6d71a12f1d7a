/**
 * Fault injection. Read {@link dev.abacus.deploy.simulator.fault.FaultKind}, {@link
 * dev.abacus.deploy.simulator.fault.FaultRates}, {@link
 * dev.abacus.deploy.simulator.fault.FaultInjector}, {@link
 * dev.abacus.deploy.simulator.fault.Outage}, {@link dev.abacus.deploy.simulator.fault.ColdStart}.
 */
@NullMarked
package dev.abacus.deploy.simulator.fault;

import org.jspecify.annotations.NullMarked;
