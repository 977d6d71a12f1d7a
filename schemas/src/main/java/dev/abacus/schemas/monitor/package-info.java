/**
 * What an operator sees of a process: {@link dev.abacus.schemas.monitor.LogContext} in its logs,
 * {@link dev.abacus.schemas.monitor.BrokerWatch} for Kafka, {@link
 * dev.abacus.schemas.monitor.SourceLag} for the sources of a program, {@link
 * dev.abacus.schemas.monitor.Metric} for its metrics, {@link dev.abacus.schemas.monitor.Health},
 * and the {@link dev.abacus.schemas.monitor.MonitorServer} that serves both.
 */
@NullMarked
package dev.abacus.schemas.monitor;

import org.jspecify.annotations.NullMarked;
