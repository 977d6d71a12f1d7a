package dev.abacus.deploy.runtime;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.topology.runtime.RuntimeListener;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures documents per second: broker in process, 200 ms simulated calls, 500 in flight, four
 * partitions, one stream thread, exactly_once_v2. Arguments: documents, in flight, latency in
 * milliseconds, bytes per document, {@code classic} or {@code streams} for the group protocol.
 */
public final class RuntimeThroughput {

  private RuntimeThroughput() {}

  /** Measures and prints. */
  public static void main(String[] arguments)
      throws IOException, ExecutionException, InterruptedException {
    int documents = argument(arguments, 0, 50_000);
    int inFlight = argument(arguments, 1, 500);
    int latencyMillis = argument(arguments, 2, 200);
    int bytes = argument(arguments, 3, 1000);
    String protocol = arguments.length > 4 ? arguments[4] : "classic";
    Stopwatch stopwatch = new Stopwatch(documents);
    try (LocalKafka kafka = LocalKafka.start()) {
      Topics topics = new Topics(kafka.bootstrapServers());
      topics.create();
      topics.produce(documents, documents / 5, bytes);
      SimulatedWork work = new SimulatedWork(Duration.ofMillis(latencyMillis), new AtomicInteger());
      Path state = Files.createTempDirectory("runtime-throughput");
      try (Instance _ =
          Instance.start(
              kafka.bootstrapServers(),
              state,
              work,
              RuntimeSettings.defaults(),
              RuntimeServices.of(inFlight).withListener(stopwatch),
              Map.of("group.protocol", protocol))) {
        stopwatch.done.await();
        double ideal = inFlight * 1000.0 / latencyMillis;
        System.out.printf(
            "%.0f documents/s, ideal %.0f, ratio %.3f%n",
            stopwatch.rate(), ideal, stopwatch.rate() / ideal);
      }
    }
  }

  private static int argument(String[] arguments, int index, int otherwise) {
    return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
  }

  /** Times from the first fifth, when everything is warm, to the last document. */
  private static final class Stopwatch implements RuntimeListener {
    private final int documents;
    private final int warm;
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile long warmAt;
    private volatile long doneAt;

    private Stopwatch(int documents) {
      this.documents = documents;
      this.warm = documents / 5;
    }

    @Override
    public void finished() {
      int now = ended.incrementAndGet();
      if (now == warm) {
        warmAt = System.nanoTime();
      } else if (now == documents) {
        doneAt = System.nanoTime();
        done.countDown();
      }
    }

    private double rate() {
      return (documents - warm) * 1e9 / (doneAt - warmAt);
    }
  }
}
