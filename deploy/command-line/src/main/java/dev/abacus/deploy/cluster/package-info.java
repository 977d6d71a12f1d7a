/**
 * Operates programs on a Kafka cluster.
 *
 * <p>Reading order: {@link dev.abacus.deploy.cluster.KafkaConnection} creates clients. {@link
 * dev.abacus.deploy.cluster.ControlTopic} reads and writes desired state ({@link
 * dev.abacus.deploy.cluster.ControlState}). {@link dev.abacus.deploy.cluster.TopicReader} reads
 * status reports, measurements and bills, {@link dev.abacus.deploy.cluster.TopicWriter} writes
 * priors. {@link dev.abacus.deploy.cluster.DeadLetters} lists and replays dead letters, and {@link
 * dev.abacus.deploy.cluster.TopicCreation} creates topics; {@link
 * dev.abacus.deploy.cluster.StrimziManifests} and {@link
 * dev.abacus.deploy.cluster.AsyncApiDocument} describe them for other tools.
 */
@NullMarked
package dev.abacus.deploy.cluster;

import org.jspecify.annotations.NullMarked;
