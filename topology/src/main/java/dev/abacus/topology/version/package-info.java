/**
 * Versions of a program: a change that needs another topology gets another Kafka Streams
 * application.
 *
 * <p>Reading order: {@link dev.abacus.topology.version.ProgramShape} says which changes need one;
 * {@link dev.abacus.topology.version.ProgramVersions} is the state of a change and its transitions;
 * {@link dev.abacus.topology.version.VersionChange} decides the next transition, on any worker;
 * {@link dev.abacus.topology.version.VersionTopic} keeps the state, with atomic transitions; {@link
 * dev.abacus.topology.version.EndedVersions} removes the topics that nobody needs.
 */
@NullMarked
package dev.abacus.topology.version;

import org.jspecify.annotations.NullMarked;
