package dev.abacus.topology.spending;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.ModelAccess;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.AdmissionTimer;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.runtime.OpenCalls;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens of a program's status, against the book of the endpoint. */
class ProgramTokensTest {

  private static final String CHAT =
      """
      {"id": "c", "object": "chat.completion", "created": 1, "model": "m",
       "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
       "choices": [{"index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": "yes"}}]}
      """;
  private static final String VECTORS =
      """
      {"object": "list", "model": "e", "usage": {"prompt_tokens": 500, "total_tokens": 500},
       "data": [{"object": "embedding", "index": 0, "embedding": [3, 4]}]}
      """;
  private static final int UNKNOWN_LENGTH = 5000;

  private final CountDownLatch received = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final ProgramCounters counters = new ProgramCounters();
  private HttpServer server;
  private ModelAccess models;
  private volatile boolean broken;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    ModelCatalogue catalogue =
        ModelCatalogue.of(
            List.of(
                ModelCard.chat("m").contextTokens(10_000).build(),
                ModelCard.embedding("e").tokenizer("o200k_base").contextTokens(1_000).build()));
    models =
        ModelAccess.of(
                catalogue,
                Endpoints.of("http://127.0.0.1:" + server.getAddress().getPort() + "/v1", null),
                MediaPolicy.BY_REFERENCE,
                Retries.of(RetryPolicy.DEFAULT, new Random(1)),
                new AdmissionController(
                    catalogue,
                    AdmissionController.Settings.NONE,
                    AdmissionTimer.system(
                        new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC())
                            .watch("admission")),
                    new Random(1)),
                List.of(),
                Tracing.OFF)
            .forProgram(
                "p",
                new SpendingAccount("p", "i", System::nanoTime, _ -> {}),
                OpenCalls.of(1),
                counters::tokens,
                null);
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      received.countDown();
      released.await();
      String body = exchange.getRequestURI().getPath().endsWith("/embeddings") ? VECTORS : CHAT;
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, broken ? UNKNOWN_LENGTH : bytes.length);
      exchange.getResponseBody().write(bytes, 0, broken ? 20 : bytes.length);
      exchange.getResponseBody().flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Object chat() throws InterruptedException {
    return models
        .client()
        .call(ModelRequest.of("m", "Answer.", List.of(new Content.Text("Is it so?")), null));
  }

  private Object embed() throws InterruptedException {
    Embedder embedder = Objects.requireNonNull(models.embedders().find("e"));
    return embedder.embed(List.of("Is it so?"));
  }

  private TokenCounts tokens() {
    return Objects.requireNonNull(counters.status("p", "i", Instant.EPOCH, "RUNNING", 1L).tokens());
  }

  @Test
  void theTokensOfEmbeddingsAreThoseOfTheProgram() throws InterruptedException {
    released.countDown();
    embed();
    assertThat(tokens()).isEqualTo(TokenCounts.of(500, 0, 0));
    chat();
    assertThat(tokens()).isEqualTo(TokenCounts.of(600, 0, 10));
    embed();
    assertThat(tokens().input()).as("the second embedding is cached").isEqualTo(600);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCallWhoseDocumentIsCancelledIsCounted(boolean chat) throws InterruptedException {
    interrupted(chat ? this::chat : this::embed);
    assertThat(tokens()).isEqualTo(chat ? TokenCounts.of(100, 0, 10) : TokenCounts.of(500, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCancelledCallThatIsCutOffIsCountedAsAnEstimate(boolean chat) throws InterruptedException {
    broken = true;
    interrupted(chat ? this::chat : this::embed);
    assertThat(tokens().input()).isPositive().isLessThan(100);
    assertThat(tokens().estimated()).isEqualTo(tokens().total());
  }

  /** Interrupts a call while the endpoint works on it. */
  private void interrupted(Callable<Object> call) throws InterruptedException {
    Thread document =
        Thread.startVirtualThread(() -> {
          try {
            call.call();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    received.await();
    document.interrupt();
    released.countDown();
    document.join();
  }
}
