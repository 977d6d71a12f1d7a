package dev.abacus.topology.model.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ImageModelClientTest {

  private final ScriptedModelClient model =
      ScriptedModelClient.always(ScriptedModelClient.say("{}"));
  private final AtomicInteger fetched = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    serve("/a.png", 200, "image/png", new byte[] {1, 2, 3});
    serve("/text", 200, "text/html", new byte[] {1});
    serve("/busy", 503, "text/plain", new byte[] {1});
    serve("/gone", 404, "text/plain", new byte[] {1});
    serve("/large", 200, "image/png", new byte[2000]);
    server.createContext(
        "/elsewhere",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/a.png");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    server.start();
  }

  private void serve(String path, int status, String type, byte[] body) {
    server.createContext(
        path,
        exchange -> {
          fetched.incrementAndGet();
          exchange.getResponseHeaders().add("Content-Type", type);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String at(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private static ModelRequest request(String uri) {
    return ModelRequest.of(
        "m", "s", List.of(new Content.Text("t"), new Content.ImageReference(uri)), null);
  }

  private ModelAnswer call(ImagePolicy policy, String uri) throws InterruptedException {
    return new ImageModelClient(model, policy).call(request(uri));
  }

  private static final ImagePolicy FETCHED =
      new ImagePolicy(Set.of("127.0.0.1"), true, 1000, Duration.ofSeconds(30));

  private ModelFailure refused(ImagePolicy policy, String uri) throws InterruptedException {
    ModelFailure failure = call(policy, uri).failure();
    assertThat(failure).as(uri).isInstanceOf(ModelFailure.ImageUnavailable.class);
    assertThat(model.requests()).isEmpty();
    return (ModelFailure.ImageUnavailable) java.util.Objects.requireNonNull(failure);
  }

  @Test
  void anImageOfAnAllowedHostIsFetchedOnceAndSent() throws InterruptedException {
    ImageModelClient client = new ImageModelClient(model, FETCHED);
    for (int i = 0; i < 3; i++) {
      assertThat(client.call(request(at("/a.png"))).failure()).isNull();
    }
    assertThat(model.requests().getLast().content())
        .containsExactly(new Content.Text("t"), new Content.ImageBytes("image/png", "AQID"));
    assertThat(fetched.get()).isEqualTo(1);
  }

  @Test
  void byReferenceTheEndpointFetchesTheImage() throws InterruptedException {
    call(ImagePolicy.BY_REFERENCE, "https://example.com/a.png");
    assertThat(model.requests().getFirst().content())
        .contains(new Content.ImageReference("https://example.com/a.png"));
    assertThat(fetched.get()).isZero();
  }

  @Test
  void aDataUriIsNotFetched() throws InterruptedException {
    call(ImagePolicy.BY_REFERENCE, "data:image/gif;base64,AQID");
    assertThat(model.requests().getFirst().content())
        .contains(new Content.ImageBytes("image/gif", "AQID"));
  }

  @Test
  void otherSchemesAndHostsAreRefused() throws InterruptedException {
    for (String uri :
        List.of(
            "file:///etc/passwd",
            "ftp://127.0.0.1/a.png",
            "http://169.254.169.254/latest",
            "http://127.0.0.1@evil.example/a.png",
            "//127.0.0.1/a.png",
            "data:text/html;base64,AQID",
            "data:image/png;base64,§",
            "no uri at all",
            "")) {
      assertThat(refused(FETCHED, uri).retryable()).as(uri).isFalse();
    }
    assertThat(refused(ImagePolicy.BY_REFERENCE, "file:///etc/passwd").retryable()).isFalse();
    assertThat(fetched.get()).isZero();
  }

  @Test
  void aFailedFetchReportsItsReasonAndWhetherItIsRetryable() throws InterruptedException {
    assertThat(refused(FETCHED, at("/busy")).retryable()).isTrue();
    assertThat(refused(FETCHED, "http://127.0.0.1:1/a.png").retryable()).isTrue();
    assertThat(refused(FETCHED, at("/gone")).message()).contains("404");
    assertThat(refused(FETCHED, at("/text")).message()).contains("text/html");
    assertThat(refused(FETCHED, at("/elsewhere")).message()).contains("302");
    ModelFailure large = refused(FETCHED, at("/large"));
    assertThat(large.message()).contains("larger than 1000");
    assertThat(large.retryable()).isFalse();
  }

  @Test
  void aFetchingPolicyNeedsHosts() {
    assertThatThrownBy(() -> ImagePolicy.fetchedFrom(Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
