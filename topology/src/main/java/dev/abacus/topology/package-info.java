/**
 * The data plane. A {@link dev.abacus.topology.Worker} is one instance; it runs the programs of the
 * control topic:
 *
 * <pre>
 *   Worker ── ControlFollower ──► ProgramPlans per program
 *     └── ProgramRunner per program: reconciles with its ProgramPlans
 *           └── ProgramApplications: up to three Kafka Streams applications, which share ProgramServices
 *                 ├── ProgramReferences: embeds and follows references
 *                 ├── samples            (SampleTopology)
 *                 └── documents          (DocumentTopology)
 * </pre>
 *
 * <p>What programs share is opened once, as a {@code WorkerContext}: {@code WorkerKafka}, {@code
 * WorkerModels} and {@code StreamsServices}; each part takes what it needs of it.
 *
 * <p>A {@code SleepWatch} stops the applications of samples and documents that are idle for long,
 * and starts them again with the next record.
 *
 * <p>Packages, bottom up: {@code runtime} (asynchronous exactly-once processing), {@code model}
 * (calls of models), {@code operator} (techniques), {@code execution} (the steps of a plan), {@code
 * scoring}, {@code codec} and {@code stateful} (between and in stateful operators), {@code
 * reference}, {@code control} and {@code telemetry}, {@code live} and {@code sample} (the two kinds
 * of work).
 */
@NullMarked
package dev.abacus.topology;

import org.jspecify.annotations.NullMarked;
