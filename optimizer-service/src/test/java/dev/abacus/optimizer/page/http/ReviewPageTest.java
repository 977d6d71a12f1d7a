package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.page.records.ClusterFixture;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
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

  private final PageFixture page = new PageFixture(ACCESS);

  @AfterEach
  void stop() {
    page.close();
  }

  private String form(String cookie, int offset, String rest) throws Exception {
    return "csrf=%s&position=%s&%s"
        .formatted(
            page.csrf(cookie),
            URLEncoder.encode("support.messages-0@" + offset, StandardCharsets.UTF_8),
            rest);
  }

  @Test
  void onlyAProgramThatAsksHasTheTabAndOnlyForThoseWhoMaySteer() throws Exception {
    String ann = page.signIn("a-token-of-the-tests");
    String bob = page.signIn("a-token-of-a-reader");
    assertThat(page.get("/programs/support-triage", ann).body()).doesNotContain("Review (");
    assertThat(page.get(PATH, ann).statusCode()).isEqualTo(404);

    page.cluster.asksForLabels();

    assertThat(page.get("/programs/support-triage", ann).body()).contains("Review (2)");
    assertThat(page.get("/programs/support-triage", bob).body()).doesNotContain("Review (");
    assertThat(page.get(PATH, bob).body()).doesNotContain("Parcel");
    assertThat(page.post(PATH, form(bob, 1, "keep=true"), bob).statusCode()).isEqualTo(403);
    assertThat(page.access.answers()).isEmpty();
  }

  @Test
  void labelsOfFiltersAndMapsAreSent() throws Exception {
    page.cluster.asksForLabels();
    String ann = page.signIn("a-token-of-the-tests");
    assertThat(page.get(PATH, ann).body())
        .contains("The customer has a problem.", "&lt;b&gt;Parcel&lt;/b&gt; 1", "1 of 2")
        .contains("data-key=\"y\"", "data-key=\"n\"", "data-key=\"s\"");

    HttpResponse<String> sent = page.post(PATH, form(ann, 1, "keep=false"), ann);

    String next = sent.headers().firstValue("Location").orElseThrow();
    assertThat(next).startsWith(PATH + "?done=review&after=");
    assertThat(page.get(next, ann).body())
        .contains("The label is sent.", "Decide what the customer wants.", "2 of 2")
        .contains("name=\"field-intent\"");
    assertThat(page.post(PATH, form(ann, 2, "field-intent=refund"), ann).statusCode())
        .isEqualTo(303);
    assertThat(page.access.answers())
        .containsExactly(
            "support.messages-0@1 {\"is-problem\":false} by ann on the page",
            "support.messages-0@2 {\"classify\":{\"intent\":\"refund\"}} by ann on the page");

    assertThat(page.post(PATH, form(ann, 1, ""), ann).body()).contains("answer yes or no");
    assertThat(page.post(PATH, form(ann, 9, "keep=true"), ann).statusCode()).isEqualTo(404);
    page.access.refuse("the broker is away");
    assertThat(page.post(PATH, form(ann, 1, "keep=true"), ann).body())
        .contains("the broker is away");
  }

  @Test
  void aLabelThatIsRefusedIsAskedForAgain() throws Exception {
    page.cluster.asksForLabels();
    String ann = page.signIn("a-token-of-the-tests");

    assertThat(page.post(PATH, form(ann, 2, "field-intent="), ann).body())
        .contains("No label was sent: fill in a field", "2 of 2", "support.messages-0@2");
  }

  @Test
  void whatWasTypedStaysWhenALabelIsRefused() throws Exception {
    page.cluster.asksForLabels();
    String ann = page.signIn("a-token-of-the-tests");
    page.access.refuse("the broker is away");

    assertThat(page.post(PATH, form(ann, 2, "field-intent=%3Crefund%3E"), ann).body())
        .contains("the broker is away", "name=\"field-intent\"", "value=\"&lt;refund>\"");
  }

  @Test
  void whatIsSkippedComesBackOnlyBehindAllOthers() throws Exception {
    page.cluster.asksForLabels();
    page.cluster.review("support.messages-0@3", page.cluster.question(3, "classify"));
    page.cluster.review("support.messages-0@4", page.cluster.question(4, "classify"));
    String ann = page.signIn("a-token-of-the-tests");
    String skipped = page.get(PATH + "?after=support.messages-0@1", ann).body();
    assertThat(skipped).contains("support.messages-0@2", "2 of 4");

    String next =
        page.post(PATH, form(ann, 2, "field-intent=refund"), ann)
            .headers()
            .firstValue("Location")
            .orElseThrow();
    page.cluster.review("support.messages-0@2", null);

    assertThat(page.get(next, ann).body()).contains("Label of support.messages-0@3", "2 of 3");
    page.cluster.review("support.messages-0@3", null);
    assertThat(page.get(PATH + "?done=review&after=support.messages-0@4", ann).body())
        .as("the answered one is still among those that are known")
        .contains("Label of support.messages-0@1");
  }

  @Test
  void answeredAndExpiredRequestsDisappear() throws Exception {
    page.cluster.asksForLabels();
    String ann = page.signIn("a-token-of-the-tests");
    page.cluster.review("support.messages-0@1", null);
    assertThat(page.get(PATH, ann).body()).contains("1 of 1", "Parcel&lt;/b&gt; 2");

    page.cluster.review("support.messages-0@2", page.cluster.question(2, "classify").expired());

    assertThat(page.get(PATH, ann).body()).contains("No label is waited for.", "Review (0)");
  }
}
