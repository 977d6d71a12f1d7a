package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.RecoveryReport.LeaderRun;
import dev.abacus.deploy.evaluation.load.BenchmarkCluster;
import dev.abacus.deploy.local.ChildJvm;
import dev.abacus.optimizer.api.OptimizerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Measures leader failover: kills the leading one of two optimizers and measures the time until the
 * other one leads, has read the topics and refuses a bad record. The optimizers run in separate
 * JVMs, the broker in this process.
 */
final class LeaderRecovery {

  private static final Duration START = Duration.ofMinutes(2);

  private final RecoveryOptions options;

  LeaderRecovery(RecoveryOptions options) {
    this.options = options;
  }

  /**
   * Kills the leader {@code repetitions} times. Each killed optimizer is restarted as standby.
   *
   * @param progress receives the number of each kill, from 1
   * @return one measurement per kill
   * @throws IllegalStateException if no optimizer leads in time
   */
  List<LeaderRun> run(IntConsumer progress) {
    try (BenchmarkCluster cluster = new BenchmarkCluster(options.partitions())) {
      Map<String, ChildJvm> optimizers = new HashMap<>();
      try (LeaderMonitor watch = new LeaderMonitor(cluster.connection())) {
        optimizers.put("optimizer-1", start("optimizer-1", cluster));
        ChildJvm latest = start("optimizer-2", cluster);
        optimizers.put("optimizer-2", latest);
        List<LeaderRun> runs = new ArrayList<>();
        for (int i = 0; i < options.repetitions(); i++) {
          progress.accept(i + 1);
          latest.awaitReady(() -> watch.hasMembers(2), START);
          watch.awaitRefusal(watch.sendBadRecord(), START);
          String leader = watch.leader();
          runs.add(kill(optimizers, leader, watch));
          latest = start(leader, cluster);
          optimizers.put(leader, latest);
        }
        return runs;
      } finally {
        optimizers.values().forEach(ChildJvm::kill);
      }
    }
  }

  private LeaderRun kill(Map<String, ChildJvm> optimizers, String leader, LeaderMonitor watch) {
    ChildJvm victim = optimizers.get(leader);
    if (victim == null) {
      throw new IllegalStateException("unknown leading optimizer: " + leader);
    }
    long killed = System.nanoTime();
    victim.kill();
    String key = watch.sendBadRecord();
    watch.awaitRefusal(key, START);
    return new LeaderRun(sessionTimeout(), (System.nanoTime() - killed) / 1e9);
  }

  private double sessionTimeout() {
    Map<String, String> properties = new HashMap<>(options.properties());
    properties.put("bootstrap.servers", "localhost:9092");
    return new OptimizerConfig(properties).getLong(OptimizerConfig.SESSION_TIMEOUT_MS) / 1e3;
  }

  private ChildJvm start(String name, BenchmarkCluster cluster) {
    Map<String, String> properties = new TreeMap<>(options.properties());
    properties.put("client.id", name);
    return CommandProcess.start(
        name,
        cluster.folder(),
        List.of("optimizer", "--bootstrap-server", cluster.connection().bootstrapServers()),
        properties);
  }
}
