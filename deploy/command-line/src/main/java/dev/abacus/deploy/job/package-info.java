/**
 * Running a program over files: {@link dev.abacus.deploy.job.InputDocument} and {@link
 * dev.abacus.deploy.job.ExampleFile} read them, {@link dev.abacus.deploy.job.Job} sends them
 * ({@link dev.abacus.deploy.job.JobSender}) and takes what comes back ({@link
 * dev.abacus.deploy.job.ReturnedDocuments}), {@link dev.abacus.deploy.job.Accounting} holds the
 * rule by which a job is done (and {@link dev.abacus.deploy.job.Rest} where documents leave no
 * record of their own), {@link dev.abacus.deploy.job.JobSnapshot} says how far it is, and {@link
 * dev.abacus.deploy.job.JobResult} is one line of the output.
 */
@NullMarked
package dev.abacus.deploy.job;

import org.jspecify.annotations.NullMarked;
