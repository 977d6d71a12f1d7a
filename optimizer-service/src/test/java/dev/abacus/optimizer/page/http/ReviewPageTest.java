package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.page.records.ClusterFixture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Labels that are asked for, on the page. */
class ReviewPageTest {

  private static final String PATH = "/programs/" + ClusterFixture.NAME + "/review";
  private static final PageAccess ACCESS =
      new PageAccess(
          List.of(
              new Visitor("ann", true, "a-token-of-the-tests"),
              new Visitor("bob", false, "a-token-of-a-reader")),
          "",
          "");

  private final ClusterFixture cluster = ClusterFixture.running();
  private final ReplayFixture answers = new ReplayFixture();
  private final HttpClient client = HttpClient.newHttpClient();
  private PageServer server;

  @BeforeEach
  void start() {
    server =
        PageServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new PageServer.Source(() -> cluster.fold().snapshot(), (_, _) -> {}, List::of, answers),
            ACCESS,
            cluster::now);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path, String cookie) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path)).header("Cookie", cookie).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String form, String cookie) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path))
            .header("Cookie", cookie)
            .header("Origin", server.url().replaceAll("/$", ""))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create(server.url().replaceAll("/$", "") + path);
  }

  private String signIn(String token) throws Exception {
    return post("/login", "to=/&token=" + token, "")
        .headers()
        .firstValue("Set-Cookie")
        .orElseThrow()
        .replaceAll(";.*", "");
  }

  private String form(String cookie, int offset, String rest) throws Exception {
    Matcher csrf =
        Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(get("/", cookie).body());
    assertThat(csrf.find()).isTrue();
    return "csrf=%s&position=%s&%s"
        .formatted(
            csrf.group(1),
            URLEncoder.encode("support.messages-0@" + offset, StandardCharsets.UTF_8),
            rest);
  }

  @Test
  void onlyAProgramThatAsksHasTheTabAndOnlyForThoseWhoMaySteer() throws Exception {
    String ann = signIn("a-token-of-the-tests");
    String bob = signIn("a-token-of-a-reader");
    assertThat(get("/programs/support-triage", ann).body()).doesNotContain("Review (");
    assertThat(get(PATH, ann).statusCode()).isEqualTo(404);

    cluster.asksForLabels();

    assertThat(get("/programs/support-triage", ann).body()).contains("Review (2)");
    assertThat(get("/programs/support-triage", bob).body()).doesNotContain("Review (");
    assertThat(get(PATH, bob).body()).doesNotContain("Parcel");
    assertThat(post(PATH, form(bob, 1, "keep=true"), bob).statusCode()).isEqualTo(403);
    assertThat(answers.answers()).isEmpty();
  }

  @Test
  void labelsOfFiltersAndMapsAreSent() throws Exception {
    cluster.asksForLabels();
    String ann = signIn("a-token-of-the-tests");
    assertThat(get(PATH, ann).body())
        .contains("The customer has a problem.", "&lt;b&gt;Parcel&lt;/b&gt; 1", "1 of 2")
        .contains("data-key=\"y\"", "data-key=\"n\"", "data-key=\"s\"");

    HttpResponse<String> sent = post(PATH, form(ann, 1, "keep=false"), ann);

    String next = sent.headers().firstValue("Location").orElseThrow();
    assertThat(next).startsWith(PATH + "?done=review&after=");
    assertThat(get(next, ann).body())
        .contains("The label is sent.", "Decide what the customer wants.", "2 of 2")
        .contains("name=\"field-intent\"");
    assertThat(post(PATH, form(ann, 2, "field-intent=refund"), ann).statusCode()).isEqualTo(303);
    assertThat(answers.answers())
        .containsExactly(
            "support.messages-0@1 {\"is-problem\":false} by ann on the page",
            "support.messages-0@2 {\"classify\":{\"intent\":\"refund\"}} by ann on the page");

    assertThat(post(PATH, form(ann, 1, ""), ann).body()).contains("answer yes or no");
    assertThat(post(PATH, form(ann, 9, "keep=true"), ann).statusCode()).isEqualTo(404);
    answers.refuse("the broker is away");
    assertThat(post(PATH, form(ann, 1, "keep=true"), ann).body()).contains("the broker is away");
  }

  @Test
  void answeredAndExpiredRequestsDisappear() throws Exception {
    cluster.asksForLabels();
    String ann = signIn("a-token-of-the-tests");
    cluster.review("support.messages-0@1", null);
    assertThat(get(PATH, ann).body()).contains("1 of 1", "Parcel&lt;/b&gt; 2");

    cluster.review("support.messages-0@2", cluster.question(2, "classify").expired());

    assertThat(get(PATH, ann).body()).contains("No label is waited for.", "Review (0)");
  }
}
