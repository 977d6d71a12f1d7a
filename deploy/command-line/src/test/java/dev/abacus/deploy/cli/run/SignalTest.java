package dev.abacus.deploy.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cli.Abacus;
import dev.abacus.deploy.cli.option.CommandFailure;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals and failures that end servers, in processes of their own. */
@Timeout(120)
class SignalTest {

  private static final int OWN_CODE = 7;

  /** A server that has started and ends in order at a signal. */
  static final class Started {

    private Started() {}

    public static void main(String[] arguments) throws InterruptedException {
      Termination.endStartOnSignal();
      CountDownLatch stopped = new CountDownLatch(1);
      try (Termination _ = Termination.onSignal(stopped::countDown)) {
        System.out.println("started");
        stopped.await();
      }
      System.exit(OWN_CODE);
    }
  }

  private static ProcessBuilder java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
  }

  private static int exitCode(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker", "optimizer"})
  void aServerThatIsTerminatedWhileItStartsEndsWithCode0(String server) throws Exception {
    try (ServerSocket silentBroker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<String> arguments = new ArrayList<>();
      arguments.add(server);
      arguments.addAll(List.of("--bootstrap-server", "localhost:" + silentBroker.getLocalPort()));
      if (server.equals("worker")) {
        arguments.addAll(List.of("--model-endpoint", "http://localhost:1/v1"));
      }
      Process process =
          java(Abacus.class, arguments.toArray(String[]::new))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (Socket _ = silentBroker.accept()) {
        assertThat(exitCode(process)).isZero();
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void aRunThatIsTerminatedBeforeItWaitsForDocumentsEndsWithCode130() throws Exception {
    String example = "../examples/support-triage/";
    try (ServerSocket silentBroker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Process process =
          java(
                  Abacus.class,
                  "run",
                  example + "program.yaml",
                  "--bootstrap-server=localhost:" + silentBroker.getLocalPort(),
                  "--documents=" + example + "documents.jsonl",
                  "--results=target/signal.jsonl")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (Socket _ = silentBroker.accept()) {
        assertThat(exitCode(process)).isEqualTo(130);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void aServerThatHasStartedEndsInOrder() throws Exception {
    Process process = java(Started.class).start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("started");
      assertThat(exitCode(process)).isEqualTo(OWN_CODE);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void upEndsWithCode4WhenItsWorkerFails() {
    CompletableFuture<String> failure = new CompletableFuture<>();
    failure.complete("the worker ended: thread control failed");

    assertThatThrownBy(() -> Termination.onSignal().awaitEnd(failure, _ -> {}))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            ended -> assertThat(ended.exitCode()).isEqualTo(CommandFailure.CANNOT_CONTINUE))
        .hasMessageContaining("the worker ended");
  }
}
