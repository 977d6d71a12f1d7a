/**
 * Operating what runs on a Kafka cluster: {@link dev.abacus.deploy.cluster.KafkaConnection} is how
 * to reach it, {@link dev.abacus.deploy.cluster.ControlTopic} reads and writes desired state as
 * {@link dev.abacus.deploy.cluster.ControlState}, {@link dev.abacus.deploy.cluster.StatusTopic}
 * reads what instances report, {@link dev.abacus.deploy.cluster.DeadLetters} lists and replays what
 * failed, {@link dev.abacus.deploy.cluster.TopicCreation} creates topics.
 */
@NullMarked
package dev.abacus.deploy.cluster;

import org.jspecify.annotations.NullMarked;
