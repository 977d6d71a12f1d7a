/**
 * What the data plane takes from the control topic. {@link
 * dev.abacus.topology.control.ControlFollower} reads it from the beginning and keeps one {@link
 * dev.abacus.topology.control.PlanSlot} per program, from which documents get their plan.
 */
@NullMarked
package dev.abacus.topology.control;

import org.jspecify.annotations.NullMarked;
