package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.optimizer.page.records.ClusterFixture;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.journey.Journey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {

  private static final String TOKEN = "a-token-of-the-tests";
  private static final String READER = "a-token-of-a-reader";
  private static final PageAccess ACCESS =
      new PageAccess(List.of(new Visitor("ann", true, TOKEN)), "", "");

  private final ClusterFixture cluster = ClusterFixture.running();
  private final List<ControlRecord> written = new ArrayList<>();
  private volatile List<String> troubles = List.of();
  private final ReplayFixture replays = new ReplayFixture();
  private final HttpClient client = HttpClient.newHttpClient();
  private PageServer server;

  @BeforeEach
  void start() {
    server =
        PageServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            source(),
            ACCESS,
            cluster::now);
  }

  private PageServer.Source source() {
    return new PageServer.Source(
        () -> cluster.fold().snapshot(),
        (record, by) -> {
          written.add(record);
          cluster.write(record);
        },
        () -> troubles,
        replays);
  }

  @AfterEach
  void stop() {
    server.close();
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
    HttpResponse<String> page = get(path);

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy"))
        .get()
        .asString()
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';")
        .contains("connect-src 'self'", "frame-ancestors 'none'", "form-action 'self'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(page.headers().firstValue("Referrer-Policy")).contains("same-origin");
    assertThat(page.body())
        .contains("<main id=\"main\"", "<h1>")
        .doesNotContainPattern("<script(?! src=\"/assets/)")
        .doesNotContain("style=\"", "<style", "onclick", "http://", "https://");
  }

  @Test
  void showsWhatTheTopicsSay() throws Exception {
    assertThat(get("/programs/support-triage").body())
        .contains("maximize quality subject to cost &lt;= 0.002")
        .contains("epoch 2, by optimizer: better than epoch 1")
        .contains("18 /s")
        .contains("0.801<span class=\"second keep\">(0.752 to 0.846)")
        .contains("7 wait for gpt-4.1-mini")
        .contains("in 720 · out 446 /min")
        .contains("judged 0.940 (0.894 to 0.986)", "now $0.0007");
    assertThat(get("/programs/support-triage/workers").body())
        .contains("worker-2", "no valid answer in 3 attempts: missing field")
        .contains("<td class=\"n\">2</td><td>draft</td>");
    assertThat(get("/programs/support-triage/samples").body())
        .contains("model-selection(gpt-4o-mini)", "idle", "chosen");
    assertThat(get("/programs/support-triage/cost").body())
        .contains("<td>gpt-5-nano</td><td>flex</td><td>live</td>", "<td class=\"n\">$0.90</td>");
    assertThat(get("/programs/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void escapesWhatUsersAndDocumentsWrite() throws Exception {
    String attack = "<script>alert(1)</script>\"'\u0000\u001b[31m";
    cluster.deadLetter(attack, attack, attack);
    cluster.journey(attack, 7, Journey.Outcome.KEPT);
    cluster.rejected(new Rejection("objective/support-triage", attack, 99, "optimizer"));
    cluster.write(new ControlRecord.Activated("support-triage", 2, 1, attack, attack));

    for (String tab : List.of("", "/plans", "/samples", "/workers", "/cost", "/journeys")) {
      assertThat(get("/programs/support-triage" + tab).body())
          .contains("&lt;script&gt;alert(1)")
          .doesNotContain("<script>alert");
    }
    assertThat(get("/programs/%3Cscript%3Ealert(1)%3C%2Fscript%3E").body())
        .doesNotContain("<script>alert");
    assertThat(get("/login?to=%22%3E%3Cscript%3Ealert(1)").body()).doesNotContain("<script>alert");
  }

  @Test
  void saysWhichTopicsItCannotRead() throws Exception {
    troubles = List.of("page dead letters: not authorized to read support-triage.dlq");

    assertThat(get("/programs/support-triage").body()).contains("not authorized to read");
  }

  @Test
  void refusesNamesOfOtherHosts() throws Exception {
    assertThat(statusWithHost("127.0.0.1:" + port())).isEqualTo(200);
    assertThat(statusWithHost("localhost:" + port())).isEqualTo(200);
    assertThat(statusWithHost("rebound.example:" + port())).isEqualTo(403);
    assertThat(statusWithHost("127.0.0.1:1")).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/samples", "/workers", "/cost", "/journeys"})
  void anUnchangedFragmentOfATabIsNotSentAgain(String tab) throws Exception {
    assertThat(get(pollOf("/programs/support-triage" + tab)).statusCode()).isEqualTo(204);
  }

  @Test
  void aChangedFragmentIsSent() throws Exception {
    String poll = pollOf("/programs/support-triage");
    cluster.works(Duration.ofSeconds(5), 600);
    HttpResponse<String> changed = get(poll);

    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.body()).contains("hx-get=").doesNotContain(poll);
  }

  /** The address where a page asks for news. */
  private String pollOf(String page) throws Exception {
    Matcher poll = Pattern.compile("hx-get=\"([^\"]+\\?v=[0-9a-f]+)\"").matcher(get(page).body());
    assertThat(poll.find()).isTrue();
    return poll.group(1);
  }

  @Test
  void whatIfAnswersFromTheFrontier() throws Exception {
    String strict = get("/programs/support-triage/what-if?cost=0&latency=100").body();
    String open = get("/programs/support-triage/what-if?cost=100&latency=100").body();
    String inForce = get("/programs/support-triage/what-if").body();

    assertThat(inForce).contains("The active plan stays: quality 0.801, $0.0019 and 3.5 s");
    assertThat(strict).contains("classify=model-selection(gpt-4o-mini)", "Another plan");
    assertThat(open).contains("classify=model-selection(gpt-4.1)", "maximize quality</strong>");
    assertThat(written).isEmpty();
  }

  @Test
  void aChangeNeedsTheTokenAndAFormOfThisPage() throws Exception {
    String cookie = signIn();
    String csrf = csrf(cookie);

    assertThat(pause(null, origin(), csrf).headers().firstValue("Location")).contains("/login");
    assertThat(pause("abacus-page-" + port() + "=guess", origin(), csrf).statusCode())
        .isEqualTo(303);
    assertThat(pause(cookie, origin(), "guess").statusCode()).isEqualTo(403);
    assertThat(pause(cookie, "http://evil.example", csrf).statusCode()).isEqualTo(403);
    assertThat(pause(cookie, null, csrf).statusCode()).isEqualTo(403);
    assertThat(
            post("/programs/support-triage/pause", "csrf=" + csrf, cookie, origin(), "cross-site")
                .statusCode())
        .isEqualTo(403);
    assertThat(written).isEmpty();

    assertThat(pause(cookie, origin(), csrf).statusCode()).isEqualTo(303);
    assertThat(written).containsExactly(new ControlRecord.Paused("support-triage", true));
  }

  @Test
  void aJourneyIsLinkedFromItsDeadLetter() throws Exception {
    String letters = get("/programs/support-triage/workers").body();
    Matcher letter =
        Pattern.compile("href=\"(/programs/support-triage/letters/0-\\d+)\">m-93</a>")
            .matcher(letters);
    assertThat(letter.find()).isTrue();
    assertThat(get(letter.group(1)).body())
        .contains("href=\"/programs/support-triage/journeys/0-1\"");

    assertThat(get("/programs/support-triage/journeys/0-1").body())
        .contains("support.messages-0@93", "My parcel has not come.", "3 attempts")
        .contains("missing field 'reply'");
    assertThat(get("/programs/support-triage/journeys").body()).contains("m-92", "✗ dead letter");
    assertThat(get("/programs/support-triage/journeys/0-99").statusCode()).isEqualTo(404);
  }

  @Test
  void deadLettersAreReplayedAfterAConfirmation() throws Exception {
    String path = "/programs/support-triage/replay";
    assertThat(get(path).headers().firstValue("Location"))
        .contains("/login?to=/programs/support-triage/replay");
    String cookie = signIn();
    String csrf = csrf(cookie);

    assertThat(get(path, cookie).body()).contains("3 dead letters", "1 cannot be replayed");
    assertThat(post(path, "csrf=guess", cookie, origin(), "same-origin").statusCode())
        .isEqualTo(403);
    assertThat(post(path, "csrf=" + csrf, cookie, "http://evil.example", "cross-site").statusCode())
        .isEqualTo(403);
    assertThat(replays.replayed()).isEmpty();

    HttpResponse<String> done = post(path, "csrf=" + csrf, cookie, origin(), "same-origin");
    String next = done.headers().firstValue("Location").orElseThrow();
    assertThat(get(next, cookie).body()).contains("3 documents were sent again.");
    assertThat(replays.replayed()).containsExactly("support-triage");
    assertThat(get(path, cookie).body()).contains("No dead letter waits");
  }

  @Test
  void aReplayThatKafkaRefusesIsTold() throws Exception {
    replays.refuse("not authorized to read the group replay-support-triage");
    String cookie = signIn();
    String path = "/programs/support-triage/replay";

    assertThat(get(path, cookie).body()).contains("Nothing was replayed: not authorized");
    HttpResponse<String> refused =
        post(path, "csrf=" + csrf(cookie), cookie, origin(), "same-origin");

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("Nothing was replayed: not authorized");
  }

  @Test
  void aWrongTokenOpensNoSession() throws Exception {
    HttpResponse<String> wrong = post("/login", "token=wrong", null, origin(), "same-origin");

    assertThat(wrong.statusCode()).isEqualTo(403);
    assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void theCookieIsForThisSiteOnly() throws Exception {
    HttpResponse<String> right =
        post("/login", "token=" + TOKEN + "&to=//evil.example", null, origin(), "same-origin");

    assertThat(right.headers().firstValue("Location")).contains("/");
    assertThat(right.headers().firstValue("Set-Cookie"))
        .get()
        .asString()
        .contains("HttpOnly", "SameSite=Strict");
  }

  @Test
  void aSessionEnds() throws Exception {
    String cookie = signIn();
    String csrf = csrf(cookie);
    cluster.passes(Sessions.LIFETIME);

    assertThat(pause(cookie, origin(), csrf).headers().firstValue("Location")).contains("/login");
    assertThat(written).isEmpty();
  }

  @Test
  void objectiveAndPlanAreChangedByTheRecordsOfTheCommandLine() throws Exception {
    String cookie = signIn();
    String csrf = csrf(cookie);
    String form = "csrf=" + csrf + "&objective=";
    String path = "/programs/support-triage";

    post(path + "/objective", form + encoded("minimize cost"), cookie, origin(), "same-origin");
    HttpResponse<String> refused =
        post(path + "/objective", form + encoded("minimize joy"), cookie, origin(), "same-origin");
    post(path + "/rollback", "csrf=" + csrf + "&epoch=1", cookie, origin(), "same-origin");
    HttpResponse<String> late =
        post(path + "/rollback", "csrf=" + csrf + "&epoch=1", cookie, origin(), "same-origin");
    HttpResponse<String> unknown =
        post(path + "/activate", "csrf=" + csrf + "&epoch=77", cookie, origin(), "same-origin");

    assertThat(written).hasSize(2);
    assertThat(get(path).body()).contains("minimize cost");
    assertThat(written.getLast())
        .isEqualTo(
            new ControlRecord.Activated(
                "support-triage", 1, 1, "rolled back from epoch 2", "user"));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("is not a dimension");
    assertThat(late.statusCode()).isEqualTo(422);
    assertThat(unknown.statusCode()).isEqualTo(422);
  }

  @Test
  void readingFromOtherMachinesNeedsTheToken() throws Exception {
    try (PageServer open =
        PageServer.start(new InetSocketAddress("0.0.0.0", 0), source(), ACCESS, cluster::now)) {
      URI uri = URI.create(open.url().replace("0.0.0.0", "127.0.0.1"));
      HttpRequest request = HttpRequest.newBuilder(uri).build();

      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(303);
      assertThat(answer.headers().firstValue("Location")).contains("/login");
    }
  }

  private HttpResponse<String> pause(@Nullable String cookie, @Nullable String origin, String csrf)
      throws Exception {
    return post("/programs/support-triage/pause", "csrf=" + csrf, cookie, origin, "same-origin");
  }

  private String signIn() throws Exception {
    return signIn(TOKEN);
  }

  private String signIn(String token) throws Exception {
    return post("/login", "token=" + token, null, origin(), "same-origin")
        .headers()
        .firstValue("Set-Cookie")
        .orElseThrow()
        .replaceAll(";.*", "");
  }

  private String csrf(String cookie) throws Exception {
    String body = get("/programs/support-triage", cookie).body();
    Matcher field = Pattern.compile("name=\"csrf\" value=\"([0-9a-f]+)\"").matcher(body);
    assertThat(field.find()).isTrue();
    return field.group(1);
  }

  private HttpResponse<String> get(String path, String cookie) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path)).header("Cookie", cookie).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(
      String path, String form, @Nullable String cookie, @Nullable String origin, String site)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Sec-Fetch-Site", site)
            .POST(HttpRequest.BodyPublishers.ofString(form));
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    if (origin != null) {
      request.header("Origin", origin);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Java's HTTP client does not let a request name another host. */
  private int statusWithHost(String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
              .formatted(host)
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(Arrays.asList(answer.split(" ", 3)).get(1));
    }
  }

  private URI uri(String path) {
    return URI.create(server.url()).resolve(path);
  }

  private int port() {
    return URI.create(server.url()).getPort();
  }

  private String origin() {
    return "http://127.0.0.1:" + port();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void whoMayOnlyReadSeesNoFormsAndChangesNothing() throws Exception {
    server.close();
    PageAccess access =
        new PageAccess(Visitor.parse("ann:steer:" + TOKEN + ",bob:read:" + READER), "", "");
    server =
        PageServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            source(),
            access,
            cluster::now);
    String cookie = signIn(READER);
    assertThat(get("/programs/support-triage", cookie).body())
        .contains("bob", "Sign out")
        .doesNotContain("Pause program");

    HttpResponse<String> refused = pause(cookie, origin(), csrf(cookie));

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("bob may read");
    assertThat(written).isEmpty();
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
    try (PageServer secure = PageServer.start(any, source(), access, cluster::now);
        HttpClient browser = HttpClient.newBuilder().sslContext(tls).build()) {
      assertThat(secure.url()).startsWith("https://127.0.0.1:");
      assertThat(
              browser
                  .send(
                      HttpRequest.newBuilder(URI.create(secure.url())).build(),
                      HttpResponse.BodyHandlers.ofString())
                  .body())
          .contains("support-triage");
    }
    assertThatThrownBy(() ->
            PageServer.start(
                any,
                source(),
                new PageAccess(ACCESS.visitors(), store.toString(), "a wrong password"),
                cluster::now))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("page.p12");
  }

  @Test
  void aDeadLetterIsReplayedAlone() throws Exception {
    String cookie = signIn();
    String letter = "/programs/support-triage/letters/0-1";
    assertThat(get(letter).body()).contains("older", "newer").doesNotContain("Replay this one");

    HttpResponse<String> done =
        post(letter, "csrf=" + csrf(cookie), cookie, origin(), "same-origin");

    assertThat(done.headers().firstValue("Location")).hasValue(letter + "?done=replay&sent=1");
    assertThat(replays.replayed()).containsExactly("support-triage 0-1");
    assertThat(get("/programs/support-triage/letters/0-99").statusCode()).isEqualTo(404);
  }

  @Test
  void journeysAreFoundByTheirTexts() throws Exception {
    String all = get("/programs/support-triage/journeys").body();
    assertThat(all).contains("m-93");
    assertThat(get("/programs/support-triage/journeys?q=M-93").body())
        .contains("m-93", "live/journeys?q=M-93&amp;v=")
        .doesNotContain(">m-1<");
    assertThat(get("/programs/support-triage/journeys?q=nowhere").body())
        .contains("No recorded journey contains");
  }
}
