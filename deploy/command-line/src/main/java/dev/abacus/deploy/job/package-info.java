/**
 * Runs a program over files.
 *
 * <p>Reading order: {@link dev.abacus.deploy.job.InputDocument} and {@link
 * dev.abacus.deploy.job.ExampleFile} read the files. {@link dev.abacus.deploy.job.Job} sends them
 * ({@code JobSender}) and collects the results ({@code JobOutput}). {@code Accounting} states when
 * a job is complete, by counts or because {@code IdleDetector} finds the data plane idle. {@link
 * dev.abacus.deploy.job.JobSnapshot} is the progress, {@link dev.abacus.deploy.job.JobResult} one
 * line of the output.
 */
@NullMarked
package dev.abacus.deploy.job;

import org.jspecify.annotations.NullMarked;
