package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.ControlRecord;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What may be changed on the page, and by whom. */
class PageChangesTest {

  private static final String TOKEN = "a-token-of-the-tests";
  private static final String READER = "a-token-of-a-reader";

  private final PageFixture page =
      new PageFixture(
          new PageAccess(Visitor.parse("ann:steer:" + TOKEN + ",bob:read:" + READER), "", ""));

  @AfterEach
  void stop() {
    page.close();
  }

  private HttpResponse<String> pause(@Nullable String cookie, @Nullable String origin, String csrf)
      throws Exception {
    return page.post(
        "/programs/support-triage/pause", "csrf=" + csrf, cookie, origin, "same-origin");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void aChangeNeedsTheTokenAndAFormOfThisPage() throws Exception {
    String cookie = page.signIn(TOKEN);
    String csrf = page.csrf(cookie);

    assertThat(pause(null, page.origin(), csrf).headers().firstValue("Location"))
        .contains("/login");
    assertThat(pause("abacus-page-" + page.port() + "=guess", page.origin(), csrf).statusCode())
        .isEqualTo(303);
    assertThat(pause(cookie, page.origin(), "guess").statusCode()).isEqualTo(403);
    assertThat(pause(cookie, "http://evil.example", csrf).statusCode()).isEqualTo(403);
    assertThat(pause(cookie, null, csrf).statusCode()).isEqualTo(403);
    assertThat(
            page.post(
                    "/programs/support-triage/pause",
                    "csrf=" + csrf,
                    cookie,
                    page.origin(),
                    "cross-site")
                .statusCode())
        .isEqualTo(403);
    assertThat(page.access.written()).isEmpty();

    assertThat(pause(cookie, page.origin(), csrf).statusCode()).isEqualTo(303);
    assertThat(page.access.written())
        .containsExactly(new ControlRecord.Paused("support-triage", true));
  }

  @Test
  void anObjectiveThatIsRefusedStaysToBeCorrected() throws Exception {
    String cookie = page.signIn(TOKEN);

    assertThat(
            page.post(
                    "/programs/support-triage/objective",
                    "csrf=" + page.csrf(cookie) + "&objective=maximise+%22quality%22",
                    cookie)
                .body())
        .contains("Nothing was changed", "value=\"maximise &#34;quality&#34;\"");
  }

  @Test
  void deadLettersAreReplayedAfterAConfirmation() throws Exception {
    String path = "/programs/support-triage/replay";
    assertThat(page.get(path).headers().firstValue("Location"))
        .contains("/login?to=/programs/support-triage/replay");
    String cookie = page.signIn(TOKEN);
    String csrf = page.csrf(cookie);

    assertThat(page.get(path, cookie).body()).contains("3 dead letters", "1 cannot be replayed");
    assertThat(page.post(path, "csrf=guess", cookie).statusCode()).isEqualTo(403);
    assertThat(
            page.post(path, "csrf=" + csrf, cookie, "http://evil.example", "cross-site")
                .statusCode())
        .isEqualTo(403);
    assertThat(page.access.replayed()).isEmpty();

    HttpResponse<String> done = page.post(path, "csrf=" + csrf, cookie);
    String next = done.headers().firstValue("Location").orElseThrow();
    assertThat(page.get(next, cookie).body()).contains("3 documents were sent again.");
    assertThat(page.access.replayed()).containsExactly("support-triage");
    assertThat(page.get(path, cookie).body()).contains("No dead letter waits");
  }

  @Test
  void aDeadLetterIsReplayedAlone() throws Exception {
    String cookie = page.signIn(TOKEN);
    String letter = "/programs/support-triage/letters/0-1";
    assertThat(page.get(letter).body())
        .contains("older", "newer")
        .doesNotContain("Replay this one");

    HttpResponse<String> done = page.post(letter, "csrf=" + page.csrf(cookie), cookie);

    assertThat(done.headers().firstValue("Location")).hasValue(letter + "?done=replay&sent=1");
    assertThat(page.access.replayed()).containsExactly("support-triage 0-1");
    assertThat(page.get("/programs/support-triage/letters/0-99").statusCode()).isEqualTo(404);
  }

  @Test
  void aReplayThatKafkaRefusesIsTold() throws Exception {
    page.access.refuse("not authorized to read the group replay-support-triage");
    String cookie = page.signIn(TOKEN);
    String path = "/programs/support-triage/replay";

    assertThat(page.get(path, cookie).body()).contains("Nothing was replayed: not authorized");
    HttpResponse<String> refused = page.post(path, "csrf=" + page.csrf(cookie), cookie);

    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("Nothing was replayed: not authorized");
  }

  @Test
  void aWrongTokenOpensNoSession() throws Exception {
    HttpResponse<String> wrong = page.post("/login", "token=wrong", null);

    assertThat(wrong.statusCode()).isEqualTo(403);
    assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void theCookieIsForThisSiteOnly() throws Exception {
    HttpResponse<String> right = page.post("/login", "token=" + TOKEN, null);

    assertThat(right.headers().firstValue("Location")).contains("/");
    assertThat(right.headers().firstValue("Set-Cookie"))
        .get()
        .asString()
        .contains("HttpOnly", "SameSite=Strict");
  }

  /** Two slashes begin another host, and a number is an address of one. */
  @Test
  void aVisitorWhoSignsInStaysOnThisServer() throws Exception {
    for (String to : new String[] {"//evil.example", "//2130706433", "//intranet/login"}) {
      assertThat(
              page.post("/login", "token=" + TOKEN + "&to=" + to, null)
                  .headers()
                  .firstValue("Location"))
          .as(to)
          .contains("/");
    }
    assertThat(
            page.post("/login", "token=" + TOKEN + "&to=/programs/support-triage", null)
                .headers()
                .firstValue("Location"))
        .contains("/programs/support-triage");
  }

  @Test
  void aSessionEnds() throws Exception {
    String cookie = page.signIn(TOKEN);
    String csrf = page.csrf(cookie);
    page.cluster.passes(Sessions.LIFETIME);

    assertThat(pause(cookie, page.origin(), csrf).headers().firstValue("Location"))
        .contains("/login");
    assertThat(page.access.written()).isEmpty();
  }

  @Test
  void objectiveAndPlanAreChangedByTheRecordsOfTheCommandLine() throws Exception {
    String cookie = page.signIn(TOKEN);
    String csrf = page.csrf(cookie);
    String form = "csrf=" + csrf + "&objective=";
    String path = "/programs/support-triage";

    page.post(path + "/objective", form + encoded("minimize cost"), cookie);
    HttpResponse<String> refused =
        page.post(path + "/objective", form + encoded("minimize joy"), cookie);
    page.post(path + "/rollback", "csrf=" + csrf + "&epoch=1", cookie);
    HttpResponse<String> late = page.post(path + "/rollback", "csrf=" + csrf + "&epoch=1", cookie);
    HttpResponse<String> unknown =
        page.post(path + "/activate", "csrf=" + csrf + "&epoch=77", cookie);

    assertThat(page.access.written()).hasSize(2);
    assertThat(page.get(path).body()).contains("minimize cost");
    assertThat(page.access.written().getLast())
        .isEqualTo(
            new ControlRecord.Activated(
                "support-triage", 1, 1, "rolled back from epoch 2", "user"));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("is not a dimension");
    assertThat(late.statusCode()).isEqualTo(422);
    assertThat(unknown.statusCode()).isEqualTo(422);
  }

  @Test
  void whoMayOnlyReadSeesNoFormsAndChangesNothing() throws Exception {
    String cookie = page.signIn(READER);
    assertThat(page.get("/programs/support-triage", cookie).body())
        .contains("bob", "Sign out")
        .doesNotContain("Pause program");

    HttpResponse<String> refused = pause(cookie, page.origin(), page.csrf(cookie));

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("bob may read");
    assertThat(page.access.written()).isEmpty();
  }
}
