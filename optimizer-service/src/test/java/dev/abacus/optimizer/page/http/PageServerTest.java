package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.journey.Journey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {

  private static final String TOKEN = "a-token-of-the-tests";
  private static final PageAccess ACCESS =
      new PageAccess(List.of(new Visitor("ann", true, TOKEN)), "", "");

  private final PageFixture page = new PageFixture(ACCESS);

  @AfterEach
  void stop() {
    page.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/programs/support-triage",
        "/programs/support-triage/plans",
        "/programs/support-triage/samples",
        "/programs/support-triage/workers",
        "/programs/support-triage/cost",
        "/programs/support-triage/journeys",
        "/programs/support-triage/journeys/0-1",
        "/login"
      })
  void everyPageHasAStrictPolicyAndNoInlineCode(String path) throws Exception {
    HttpResponse<String> answer = page.get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Security-Policy"))
        .get()
        .asString()
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';")
        .contains("connect-src 'self'", "frame-ancestors 'none'", "form-action 'self'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.headers().firstValue("Referrer-Policy")).contains("same-origin");
    assertThat(answer.body())
        .contains("<main id=\"main\"", "<h1>")
        .doesNotContainPattern("<script(?! src=\"/assets/)")
        .doesNotContain("style=\"", "<style", "onclick", "http://", "https://");
  }

  @Test
  void showsWhatTheTopicsSay() throws Exception {
    assertThat(page.get("/programs/support-triage").body())
        .contains("maximize quality subject to cost &lt;= 0.002")
        .contains("epoch 2, by optimizer: better than epoch 1")
        .contains("18 /s", ">Promised (95 %)<")
        .contains("0.801<span class=\"second keep\">(0.752 to 0.846)")
        .contains("7 wait for gpt-4.1-mini")
        .contains("in 720 · out 446 /min")
        .contains("judged 0.940 (0.894 to 0.986)", "now $0.0007");
    assertThat(page.get("/programs/support-triage/workers").body())
        .contains("worker-2", "no valid answer in 3 attempts: missing field")
        .contains("<td class=\"n\">2</td><td>draft</td>");
    assertThat(page.get("/programs/support-triage/samples").body())
        .contains("model-selection(gpt-4o-mini)", "idle", "chosen");
    assertThat(page.get("/programs/support-triage/cost").body())
        .contains("<td>gpt-5-nano</td><td>flex</td><td>live</td>", "<td class=\"n\">$0.90</td>")
        .contains(sum("in 30 days", "$1.15"), sum("of it judge", "$0.25"))
        .contains(sum("per result", "$0.00125"), sum("this month so far", "$1.15"))
        .contains(sum("saved by prompt caches", "$0.30"), sum("saved by service tiers", "$0.88"));
    assertThat(page.get("/programs/nothing").statusCode()).isEqualTo(404);
  }

  private static String sum(String name, String usd) {
    return "<th scope=\"row\">%s</th><td class=\"n\">%s</td>".formatted(name, usd);
  }

  @Test
  void pausingUpdatesKeepsWhatIsSoughtAndSetAndSearchingKeepsThePause() throws Exception {
    String sought = "/programs/support-triage/journeys?q=a%26b+%E2%82%AC";
    assertThat(page.get(sought).body()).contains("href=\"" + sought + "&amp;live=off\"");
    String paused = page.get(sought + "&live=off").body();
    assertThat(paused)
        .contains("href=\"" + sought + "\"", "name=\"live\" value=\"off\"")
        .doesNotContain("live=off");
    assertThat(page.get("/programs/support-triage?done=pause&live=off").body())
        .contains("href=\"/programs/support-triage\"");
    assertThat(page.get("/programs/support-triage/plans?cost=40").body())
        .contains("href=\"/programs/support-triage/plans?cost=40&amp;live=off\"");
  }

  @Test
  void escapesWhatUsersAndDocumentsWrite() throws Exception {
    String attack = "<script>alert(1)</script>\"'\u0000\u001b[31m";
    page.cluster.deadLetter(attack, attack, attack);
    page.cluster.journey(attack, 7, Journey.Outcome.KEPT);
    page.cluster.rejected(new Rejection("objective/support-triage", attack, 99, "optimizer"));
    page.cluster.write(new ControlRecord.Activated("support-triage", 2, 1, attack, attack));

    for (String tab : List.of("", "/plans", "/samples", "/workers", "/cost", "/journeys")) {
      assertThat(page.get("/programs/support-triage" + tab).body())
          .contains("&lt;script&gt;alert(1)")
          .doesNotContain("<script>alert");
    }
    assertThat(page.get("/programs/%3Cscript%3Ealert(1)%3C%2Fscript%3E").body())
        .doesNotContain("<script>alert");
    assertThat(page.get("/login?to=%22%3E%3Cscript%3Ealert(1)").body())
        .doesNotContain("<script>alert");
  }

  @Test
  void saysWhichTopicsItCannotRead() throws Exception {
    page.access.cannotRead("page dead letters: not authorized to read support-triage.dlq");

    assertThat(page.get("/programs/support-triage").body()).contains("not authorized to read");
  }

  @Test
  void refusesNamesOfOtherHosts() throws Exception {
    assertThat(statusWithHost("127.0.0.1:" + page.port())).isEqualTo(200);
    assertThat(statusWithHost("localhost:" + page.port())).isEqualTo(200);
    assertThat(statusWithHost("rebound.example:" + page.port())).isEqualTo(403);
    assertThat(statusWithHost("127.0.0.1:1")).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/samples", "/workers", "/cost", "/journeys"})
  void anUnchangedFragmentOfATabIsNotSentAgain(String tab) throws Exception {
    assertThat(page.get(pollOf("/programs/support-triage" + tab)).statusCode()).isEqualTo(204);
  }

  @Test
  void aChangedFragmentIsSent() throws Exception {
    String poll = pollOf("/programs/support-triage");
    page.cluster.works(Duration.ofSeconds(5), 600);
    HttpResponse<String> changed = page.get(poll);

    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.body()).contains("hx-get=").doesNotContain(poll);
  }

  /** The address where a page asks for news. */
  private String pollOf(String path) throws Exception {
    Matcher poll =
        Pattern.compile("hx-get=\"([^\"]+\\?v=[0-9a-f]+)\"").matcher(page.get(path).body());
    assertThat(poll.find()).isTrue();
    return poll.group(1);
  }

  @Test
  void whatIfAnswersFromTheFrontier() throws Exception {
    String strict = page.get("/programs/support-triage/what-if?cost=0&latency=100").body();
    String open = page.get("/programs/support-triage/what-if?cost=100&latency=100").body();
    String inForce = page.get("/programs/support-triage/what-if").body();

    assertThat(inForce).contains("The active plan stays: quality 0.801, $0.0019 and 3.5 s");
    assertThat(strict).contains("classify=model-selection(gpt-4o-mini)", "Another plan");
    assertThat(open).contains("classify=model-selection(gpt-4.1)", "maximize quality</strong>");
    assertThat(page.access.written()).isEmpty();
  }

  @Test
  void aJourneyIsLinkedFromItsDeadLetter() throws Exception {
    String letters = page.get("/programs/support-triage/workers").body();
    Matcher letter =
        Pattern.compile("href=\"(/programs/support-triage/letters/0-\\d+)\">m-93</a>")
            .matcher(letters);
    assertThat(letter.find()).isTrue();
    assertThat(page.get(letter.group(1)).body())
        .contains("href=\"/programs/support-triage/journeys/0-1\"");

    assertThat(page.get("/programs/support-triage/journeys/0-1").body())
        .contains("support.messages-0@93", "My parcel has not come.", "3 attempts")
        .contains("missing field 'reply'");
    assertThat(page.get("/programs/support-triage/journeys").body())
        .contains("m-92", "✗ dead letter");
    assertThat(page.get("/programs/support-triage/journeys/0-99").statusCode()).isEqualTo(404);
  }

  @Test
  void readingFromOtherMachinesNeedsTheToken() throws Exception {
    try (PageServer open =
        PageServer.start(
            new InetSocketAddress("0.0.0.0", 0), page.access, ACCESS, page.cluster::now)) {
      URI uri = URI.create(open.url().replace("0.0.0.0", "127.0.0.1"));
      HttpRequest request = HttpRequest.newBuilder(uri).build();

      HttpResponse<String> answer =
          page.browser.send(request, HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(303);
      assertThat(answer.headers().firstValue("Location")).contains("/login");
    }
  }

  /** Java's HTTP client does not let a request name another host. */
  private int statusWithHost(String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), page.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
              .formatted(host)
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(Arrays.asList(answer.split(" ", 3)).get(1));
    }
  }

  @Test
  void withAKeyStoreThePageSpeaksTls(@TempDir Path folder) throws Exception {
    Path store = PageKeyStore.create(folder, TOKEN);
    KeyStore trusted = KeyStore.getInstance(store.toFile(), TOKEN.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    PageAccess access = new PageAccess(ACCESS.visitors(), store.toString(), TOKEN);
    InetSocketAddress any =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
    try (PageServer secure = PageServer.start(any, page.access, access, page.cluster::now);
        HttpClient browser = HttpClient.newBuilder().sslContext(tls).build()) {
      assertThat(secure.url()).startsWith("https://127.0.0.1:");
      assertThat(
              browser
                  .send(
                      HttpRequest.newBuilder(URI.create(secure.url())).build(),
                      HttpResponse.BodyHandlers.ofString())
                  .body())
          .contains("support-triage");
      InetSocketAddress taken =
          new InetSocketAddress("127.0.0.1", URI.create(secure.url()).getPort());
      assertThatThrownBy(() -> PageServer.start(taken, page.access, ACCESS, page.cluster::now))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot listen");
    }
    assertThatThrownBy(() ->
            PageServer.start(
                any,
                page.access,
                new PageAccess(ACCESS.visitors(), store.toString(), "a wrong password"),
                page.cluster::now))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("page.p12");
  }

  @Test
  void aPathThatReadsAsAHostIsNotLinked() throws Exception {
    assertThat(page.get(page.origin() + "//evil.example").body())
        .contains("Pause updates")
        .doesNotContain("href=\"//", "to=//");
  }

  @Test
  void journeysAreFoundByTheirTexts() throws Exception {
    String all = page.get("/programs/support-triage/journeys").body();
    assertThat(all).contains("m-93");
    assertThat(page.get("/programs/support-triage/journeys?q=M-93").body())
        .contains("m-93", "live/journeys?q=M-93&amp;v=")
        .doesNotContain(">m-1<");
    assertThat(page.get("/programs/support-triage/journeys?q=nowhere").body())
        .contains("No recorded journey contains");
  }
}
