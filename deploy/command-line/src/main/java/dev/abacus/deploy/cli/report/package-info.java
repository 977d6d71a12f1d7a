/**
 * Text and JSON that commands print: {@link dev.abacus.deploy.cli.report.Table} lays out columns,
 * {@link dev.abacus.deploy.cli.report.PlanReport} describes a plan, {@link
 * dev.abacus.deploy.cli.report.PlanConfidence} its intervals, {@link
 * dev.abacus.schemas.plan.PlanDifference} two plans, {@link
 * dev.abacus.deploy.cli.report.JobSummary} a finished job, and {@link
 * dev.abacus.deploy.cli.report.Progress} a running one.
 */
@NullMarked
package dev.abacus.deploy.cli.report;

import org.jspecify.annotations.NullMarked;
