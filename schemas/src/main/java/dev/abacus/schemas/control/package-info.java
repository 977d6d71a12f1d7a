/**
 * Desired state on the control topic. Read {@link dev.abacus.schemas.control.ControlKey} and {@link
 * dev.abacus.schemas.control.ControlRecord}, then {@link dev.abacus.schemas.control.ControlCodec};
 * {@link dev.abacus.schemas.control.ControlFold} has the values in force, and makes {@link
 * dev.abacus.schemas.control.ControlSnapshot}s; then {@link dev.abacus.schemas.control.Rejection}
 * and {@link dev.abacus.schemas.control.InstanceStatus}, the feedback to users, which {@link
 * dev.abacus.schemas.control.StatusReports} folds.
 */
@NullMarked
package dev.abacus.schemas.control;

import org.jspecify.annotations.NullMarked;
