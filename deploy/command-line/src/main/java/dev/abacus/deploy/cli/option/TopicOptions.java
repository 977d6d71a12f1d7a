package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.cluster.TopicCreation;
import picocli.CommandLine.Option;

/** Options for creating topics. */
public final class TopicOptions {

  private static final int MOST_PARTITIONS = 10_000;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions of topics that carry documents (default: ${DEFAULT-VALUE}).")
  private int partitions = 4;

  @Option(
      names = "--replication",
      paramLabel = "N",
      description = "Replication factor (default: the cluster's).")
  private int replication;

  public TopicCreation creation() {
    CommandFailure.require(
        partitions > 0 && partitions <= MOST_PARTITIONS && replication >= 0,
        "--partitions is %d and --replication %d".formatted(partitions, replication),
        "Give 1 to 10000 partitions, and a replication of at least 1.");
    return new TopicCreation(partitions, replication);
  }
}
