/**
 * Reads what the page shows from topics, and writes the control records that it sends.
 *
 * <p>Read {@link dev.abacus.optimizer.page.records.ClusterFeed}, which follows the topics, then
 * {@link dev.abacus.optimizer.page.records.ClusterFold}, which folds their records into a {@link
 * dev.abacus.optimizer.page.records.Cluster}. {@code TopicFollower} is the consumer loop; {@code
 * StatusFold} folds the reports of workers and optimizer, {@code ProgramFold} the other records of
 * a program.
 */
@NullMarked
package dev.abacus.optimizer.page.records;

import org.jspecify.annotations.NullMarked;
