/**
 * The control topic and the status topic, as an instance of the data plane uses them. {@link
 * dev.abacus.topology.control.ControlFollower} reads the control topic and keeps a {@link
 * dev.abacus.topology.control.ProgramPlans} per program, which gives documents their plan. {@link
 * dev.abacus.topology.control.StatusReporter} writes the status of the programs.
 */
@NullMarked
package dev.abacus.topology.control;

import org.jspecify.annotations.NullMarked;
