package dev.abacus.topology.model.media;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.sun.net.httpserver.HttpServer;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MediaModelClientTest {

  private final ScriptedModelClient model =
      ScriptedModelClient.always(ScriptedModelClient.say("{}"));

  /** The first bytes of an image; more is not read. */
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0};

  private static final String BASE64 = Base64.getEncoder().encodeToString(PNG);

  private final AtomicInteger fetched = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    serve("/a.png", 200, "image/png", PNG);
    serve("/untyped", 200, "application/octet-stream", PNG);
    serve("/disguised", 200, "image/png", "<svg onload='x'>".getBytes(UTF_8));
    serve("/text", 200, "text/html", new byte[] {1});
    serve("/report", 200, "application/pdf", pdf(2));
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

  private static byte[] pdf(int pages) throws IOException {
    try (PDDocument document = new PDDocument()) {
      for (int i = 0; i < pages; i++) {
        document.addPage(new PDPage());
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      document.save(bytes);
      return bytes.toByteArray();
    }
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
        "m",
        "s",
        List.of(new Content.Text("t"), new Content.Attachment(Media.Reference.of(uri))),
        null);
  }

  private ModelAnswer call(MediaPolicy policy, String uri) throws InterruptedException {
    return new MediaModelClient(model, policy).call(request(uri));
  }

  /** Allows the port of the server, and a port at which nobody listens. */
  private MediaPolicy fetching() {
    int port = server.getAddress().getPort();
    return new MediaPolicy(
        Set.of("127.0.0.1:" + port, "127.0.0.1:1"), true, 1000, Duration.ofSeconds(30), 2);
  }

  private ModelFailure refused(MediaPolicy policy, String uri) throws InterruptedException {
    ModelFailure failure = call(policy, uri).failure();
    assertThat(failure).as(uri).isInstanceOf(ModelFailure.MediaUnavailable.class);
    assertThat(model.requests()).isEmpty();
    return (ModelFailure.MediaUnavailable) java.util.Objects.requireNonNull(failure);
  }

  @Test
  void anImageOfAnAllowedHostIsFetchedOnceAndSent() throws InterruptedException {
    MediaModelClient client = new MediaModelClient(model, fetching());
    for (int i = 0; i < 3; i++) {
      assertThat(client.call(request(at("/a.png"))).failure()).isNull();
    }
    assertThat(model.requests().getLast().content())
        .containsExactly(new Content.Text("t"), Content.of("image/png", BASE64));
    assertThat(fetched.get()).isEqualTo(1);
  }

  @Test
  void byReferenceTheEndpointFetchesTheImage() throws InterruptedException {
    call(MediaPolicy.BY_REFERENCE, "https://example.com/a.png");
    assertThat(model.requests().getFirst().content())
        .contains(new Content.Attachment(Media.Reference.of("https://example.com/a.png")));
    assertThat(fetched.get()).isZero();
  }

  @Test
  void aDataUriIsNotFetched() throws InterruptedException {
    call(MediaPolicy.BY_REFERENCE, "data:image/gif;base64,R0lGODlhAQID");
    assertThat(model.requests().getFirst().content())
        .contains(Content.of("image/gif", "R0lGODlhAQID"));
  }

  @Test
  void otherSchemesHostsAndPortsAreRefused() throws InterruptedException {
    for (String uri :
        List.of(
            "file:///etc/passwd",
            "ftp://127.0.0.1/a.png",
            "http://169.254.169.254/latest",
            "http://127.0.0.1/a.png",
            "http://127.0.0.1:22/a.png",
            at("/a.png").replace("http:", "https:").replace("127.0.0.1", "localhost"),
            "http://127.0.0.1@evil.example/a.png",
            "//127.0.0.1/a.png",
            "data:text/html;base64,AQID",
            "data:image/png;base64,§",
            "no uri at all",
            "")) {
      assertThat(refused(fetching(), uri).repetitions()).as(uri).isZero();
    }
    assertThat(fetched.get()).isZero();
  }

  @Test
  void withoutAListOfHostsOnlyPublicHostsAreAllowed() throws InterruptedException {
    for (String uri :
        List.of(
            "file:///etc/passwd",
            "http://localhost/a.png",
            "http://127.0.0.1/a.png",
            "http://2130706433/a.png",
            "http://0x7f000001/a.png",
            "http://[::1]/a.png",
            "http://169.254.169.254/latest",
            "http://10.0.0.7/a.png",
            "http://metadata.google.internal/a.png",
            "http://intranet/a.png",
            "https://example.com:8443/a.png")) {
      assertThat(refused(MediaPolicy.BY_REFERENCE, uri).repetitions()).as(uri).isZero();
    }
    MediaPolicy listed =
        new MediaPolicy(
            Set.of("Intranet", "example.com:8443"), false, 1000, Duration.ofSeconds(1), 2);
    for (String uri : List.of("http://intranet/a.png", "https://example.com:8443/a.png")) {
      assertThat(call(listed, uri).failure()).as(uri).isNull();
    }
  }

  @Test
  void anImageInsideADocumentPassesTheSameGate() throws InterruptedException {
    MediaModelClient client = new MediaModelClient(model, fetching());
    String large = Base64.getEncoder().encodeToString(Arrays.copyOf(PNG, 1001));
    for (String base64 : List.of("AQID", "PHN2Zz48L3N2Zz4=", large)) {
      ModelRequest request = request("x").withContent(List.of(Content.of("image/png", base64)));
      assertThat(client.call(request).failure()).isInstanceOf(ModelFailure.MediaUnavailable.class);
    }
    assertThat(model.requests()).isEmpty();
    // The content decides on the media type, not the document.
    client.call(request("x").withContent(List.of(Content.of("image/jpeg", BASE64))));
    assertThat(model.requests().getFirst().content())
        .containsExactly(Content.of("image/png", BASE64));
  }

  @Test
  void aFailedFetchTellsNothingOfTheNetwork() throws InterruptedException {
    assertThat(refused(fetching(), at("/busy")).repetitions()).isPositive();
    assertThat(refused(fetching(), at("/gone")).repetitions()).isZero();
    for (String uri :
        List.of(at("/busy"), at("/gone"), at("/elsewhere"), "http://127.0.0.1:1/a.png")) {
      assertThat(refused(fetching(), uri).message())
          .matches("http://127.0.0.1/[a-z.]+: the file cannot be fetched");
    }
    assertThat(refused(fetching(), at("/gone?signature=secret")).message())
        .doesNotContain("secret");
  }

  @Test
  void whatIsFetchedMustBeAnImageOfLimitedSize() throws InterruptedException {
    for (String path : List.of("/text", "/disguised")) {
      assertThat(refused(fetching(), at(path)).message()).contains("no PNG, JPEG, GIF or WebP");
    }
    ModelFailure large = refused(fetching(), at("/large"));
    assertThat(large.message()).contains("larger than 1000");
    assertThat(large.repetitions()).isZero();
    assertThat(call(fetching(), at("/untyped")).failure()).isNull();
  }

  @Test
  void aPdfIsShownAsImagesOfItsPages() throws Exception {
    String base64 = Base64.getEncoder().encodeToString(pdf(2));
    new MediaModelClient(model, fetching())
        .call(request("x").withContent(List.of(Content.of("application/pdf", base64))));
    assertPages(model.requests().getFirst().content());
    call(fetching(), at("/report"));
    List<Content> sent = model.requests().getLast().content();
    assertPages(sent.subList(1, sent.size()));
  }

  private static void assertPages(List<Content> sent) {
    assertThat(sent).hasSize(4);
    assertThat(sent).contains(new Content.Text("(page 1 of 2)"), new Content.Text("(page 2 of 2)"));
    assertThat(sent)
        .filteredOn(part ->
            part instanceof Content.Attachment(Media.Content page)
                && page.mediaType().equals("image/jpeg"))
        .hasSize(2);
  }

  @Test
  void aSoundIsSentWithTheTypeOfItsContent() throws InterruptedException {
    String wav = Base64.getEncoder().encodeToString("RIFF....WAVEfmt ".getBytes(UTF_8));
    String mp3 = Base64.getEncoder().encodeToString("ID3....".getBytes(UTF_8));
    new MediaModelClient(model, MediaPolicy.BY_REFERENCE)
        .call(
            request("x")
                .withContent(List.of(Content.of("audio/x", wav), Content.of("audio/mpeg", mp3))));
    assertThat(model.requests().getFirst().content())
        .containsExactly(Content.of("audio/wav", wav), Content.of("audio/mp3", mp3));
  }

  @Test
  void aPdfThatCannotBeShownSaysWhy() throws Exception {
    MediaModelClient client = new MediaModelClient(model, fetching().withPages(2));
    for (var expected :
        Map.of(
                pdf(3), "the PDF has 3 pages, and at most 2 are read",
                "%PDF-1.7 of nothing".getBytes(UTF_8), "the PDF cannot be read")
            .entrySet()) {
      String base64 = Base64.getEncoder().encodeToString(expected.getKey());
      ModelFailure failure =
          client
              .call(request("x").withContent(List.of(Content.of("application/pdf", base64))))
              .failure();
      assertThat(failure)
          .isInstanceOf(ModelFailure.MediaUnavailable.class)
          .extracting(ModelFailure::message, STRING)
          .contains(expected.getValue());
    }
    assertThat(refused(MediaPolicy.BY_REFERENCE, "https://example.com/a.pdf").message())
        .contains("name the host of this PDF in abacus.media.hosts");
  }

  @Test
  void aFetchingPolicyNeedsHosts() {
    assertThatThrownBy(() -> MediaPolicy.fetchedFrom(Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
