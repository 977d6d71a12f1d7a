/**
 * Operating what runs on a Kafka cluster: {@link dev.abacus.deploy.operate.KafkaConnection} is how
 * to reach it, {@link dev.abacus.deploy.operate.ControlTopic} reads and writes desired state as
 * {@link dev.abacus.deploy.operate.ControlState}, {@link dev.abacus.deploy.operate.StatusTopic}
 * reads what instances report, {@link dev.abacus.deploy.operate.DeadLetters} lists and replays what
 * failed, {@link dev.abacus.deploy.operate.TopicCreation} creates topics.
 */
@NullMarked
package dev.abacus.deploy.operate;

import org.jspecify.annotations.NullMarked;
