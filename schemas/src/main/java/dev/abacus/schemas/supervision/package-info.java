/**
 * Supervision of the long-lived threads of a process. Read {@link
 * dev.abacus.schemas.supervision.Supervisor}, then {@link
 * dev.abacus.schemas.supervision.ThreadHealth}, then {@link
 * dev.abacus.schemas.supervision.ThreadStatus}.
 */
@NullMarked
package dev.abacus.schemas.supervision;

import org.jspecify.annotations.NullMarked;
