package dev.abacus.optimizer.page.http;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.abacus.optimizer.page.records.ClusterFixture;
import dev.abacus.schemas.control.ControlRecord;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The page in a headless Chromium. Needs Chromium and Node.js of the machine, and is skipped
 * without them. With {@code -Dabacus.page.screenshots=FOLDER} it makes the pictures of the
 * documentation.
 */
class BrowserTest {

  private static final String TOKEN = "a-token-of-the-tests";
  private static final PageAccess VISITORS =
      new PageAccess(List.of(new Visitor("ann", true, TOKEN)), "", "");
  private static final String PROGRAM = "programs/" + ClusterFixture.NAME;

  private static @Nullable Playwright playwright;
  private static @Nullable Browser browser;

  private final ClusterFixture cluster = ClusterFixture.running();
  private final AccessFixture access = new AccessFixture(cluster);
  private final List<String> complaints = new ArrayList<>();
  private PageServer server;
  private @Nullable BrowserContext context;

  @BeforeAll
  static void startBrowser() {
    Path chromium = installed("/usr/bin/chromium", "/usr/bin/chromium-browser");
    Path node = installed("/usr/bin/node", "/usr/local/bin/node");
    if (chromium == null || node == null) {
      String message =
          "The tests of the page in a browser are SKIPPED: they need Chromium and Node.js";
      System.err.println(message);
      assumeTrue(false, message);
      return;
    }
    Playwright driver =
        Playwright.create(
            new Playwright.CreateOptions()
                .setEnv(
                    Map.of(
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1",
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.toString())));
    playwright = driver;
    browser =
        driver
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(chromium)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            // Pages of the browser's own window cost more than those looked at.
                            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
                                + "SpareRendererForSitePerProcess")));
  }

  private static @Nullable Path installed(String... paths) {
    return Stream.of(paths).map(Path::of).filter(Files::isExecutable).findFirst().orElse(null);
  }

  @AfterAll
  static void stopBrowser() {
    if (playwright != null) {
      playwright.close();
    }
  }

  @BeforeEach
  void start() {
    server = server(VISITORS);
  }

  private PageServer server(PageAccess visitors) {
    return PageServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), access, visitors, cluster::now);
  }

  @AfterEach
  void stop() {
    if (context != null) {
      context.close();
    }
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "programs,, 1240, 420, LIGHT",
    "overview, support-triage, 1240, 900, LIGHT",
    "overview-dark, support-triage, 1240, 1180, DARK",
    "overview-phone, support-triage, 390, 1500, LIGHT",
    "plans, support-triage/plans, 1240, 900, LIGHT",
    "plans-phone-dark, support-triage/plans, 390, 1400, DARK",
    "samples, support-triage/samples, 1240, 1100, LIGHT",
    "workers, support-triage/workers, 1240, 760, LIGHT",
    "programs-phone,, 390, 700, DARK",
    "samples-phone, support-triage/samples, 390, 1400, LIGHT",
    "workers-phone, support-triage/workers, 390, 1200, LIGHT",
    "letter, support-triage/letters/0-1, 1240, 560, LIGHT",
    "changes, support-triage/changes, 1240, 560, LIGHT",
    "changes-phone, support-triage/changes, 390, 900, DARK",
    "journeys, support-triage/journeys, 1240, 560, LIGHT",
    "journey, support-triage/journeys/0-1, 1240, 700, LIGHT",
    "journey-phone-dark, support-triage/journeys/0-1, 390, 1300, DARK"
  })
  void everyPageLoadsWithoutViolations(
      String name, String path, int width, int height, ColorScheme colours) throws IOException {
    Page page = open(path == null ? "" : "programs/" + path, width, height, colours);

    assertThat(complaints).isEmpty();
    assertThat(violations(page)).isEmpty();
    assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("the page does not scroll sideways")
        .isTrue();
    String folder = System.getProperty("abacus.page.screenshots");
    if (folder != null) {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(Path.of(folder, "page-" + name + ".png")));
    }
  }

  @Test
  void figuresFollowTheTopicsAndKeepTheFocus() {
    Page page = open(PROGRAM, 1240, 900, ColorScheme.LIGHT);
    assertThat(page.locator(".tiles")).containsText("360 results");
    page.locator("#o-classify").focus();

    cluster.works(Duration.ofSeconds(5), 600);

    assertThat(page.locator(".tiles")).containsText("960 results");
    assertThat(page.locator("#o-classify")).isFocused();
  }

  @Test
  void labelsAreGivenWithSingleKeys() throws IOException {
    cluster.asksForLabels();
    Page page = signedIn(PROGRAM + "/review");
    assertThat(page.locator("h2").first()).containsText("support.messages-0@1");

    page.keyboard().press("n");
    assertThat(page.getByRole(com.microsoft.playwright.options.AriaRole.STATUS))
        .containsText("The label is sent");
    assertThat(access.answers())
        .singleElement()
        .asString()
        .startsWith("support.messages-0@1 {\"is-problem\":false}");

    assertThat(page.locator("h2").first()).containsText("support.messages-0@2");
    assertThat(complaints).isEmpty();
    assertThat(violations(page)).isEmpty();
  }

  @Test
  void theObjectiveIsChangedWithTheKeyboard() {
    Page page = signedIn(PROGRAM);

    page.getByLabel("Objective", new Page.GetByLabelOptions().setExact(true)).focus();
    page.keyboard().press("Control+A");
    page.keyboard().type("minimize cost subject to quality >= 0.8");
    page.keyboard().press("Enter");

    assertThat(page.getByRole(com.microsoft.playwright.options.AriaRole.STATUS))
        .containsText("The objective is set");
    assertThat(page.locator(".facts")).containsText("minimize cost subject to quality >= 0.8");
    assertThat(access.written()).singleElement().isInstanceOf(ControlRecord.ObjectiveSet.class);
    assertThat(complaints).isEmpty();
  }

  @Test
  void aPlanIsRolledBack() {
    Page page = signedIn(PROGRAM + "/plans");

    page.getByText("Roll back to epoch 1").click();

    assertThat(page.locator(".facts")).containsText("epoch 1, by user: rolled back from epoch 2");
    assertThat(access.written()).hasSize(1);
  }

  @Test
  void overTlsAUserSignsInAndSteers(@TempDir Path folder) throws Exception {
    server.close();
    String store = PageKeyStore.create(folder, TOKEN).toString();
    server = server(new PageAccess(VISITORS.visitors(), store, TOKEN));

    Page page = signedIn(PROGRAM + "/plans");
    page.getByText("Roll back to epoch 1").click();

    assertThat(page.locator(".facts")).containsText("epoch 1, by user: rolled back from epoch 2");
    assertThat(page.url()).startsWith("https://127.0.0.1:");
    assertThat(page.context().cookies())
        .isNotEmpty()
        .allSatisfy(cookie -> assertThat(cookie.secure).isTrue());
    assertThat(complaints).isEmpty();
  }

  @Test
  void theRaceFollowsTheSamples() {
    Page page = open(PROGRAM + "/samples", 1240, 1100, ColorScheme.LIGHT);
    Locator classify = page.locator("#classify");
    assertThat(classify.locator("p.hint")).containsText("30 samples");
    Locator other =
        classify.locator("tr", new Locator.LocatorOptions().setHasText("model-selection(gpt-4o)"));
    assertThat(other).not().hasClass("idle");

    cluster.observes("classify", "gpt-4.1", 20);

    assertThat(classify.locator("p.hint")).containsText("50 samples");
    assertThat(other).hasClass("idle");
    assertThat(classify.locator("g.mark-faded")).hasCount(3);
  }

  @Test
  void deadLettersAreReplayed() {
    Page page = signedIn(PROGRAM + "/workers");

    page.locator("#replay").click();
    page.getByText("Replay 3 dead letters").click();

    assertThat(page.getByRole(com.microsoft.playwright.options.AriaRole.STATUS))
        .containsText("3 documents were sent again.");
    assertThat(access.replayed()).containsExactly(ClusterFixture.NAME);
    assertThat(complaints).isEmpty();
  }

  @Test
  void aSliderAsksTheFrontier() {
    Page page = open(PROGRAM + "/plans", 1240, 900, ColorScheme.LIGHT);
    Locator answer = page.locator(".answer");
    assertThat(answer).containsText("The active plan stays");

    page.locator("#s-cost").focus();
    page.keyboard().press("Home");

    assertThat(answer).containsText("Another plan");
    assertThat(answer).containsText("classify=model-selection(gpt-4o-mini)");
    assertThat(page.locator("#s-cost")).isFocused();
    assertThat(complaints).isEmpty();
  }

  @Test
  void itSaysThatTheServerIsGone() {
    Page page = open(PROGRAM, 1240, 900, ColorScheme.LIGHT);
    assertThat(page.locator("#stale")).isHidden();

    server.close();

    assertThat(page.locator("#stale")).isVisible();
  }

  private Page open(String path, int width, int height, ColorScheme colours) {
    BrowserContext opened =
        Objects.requireNonNull(browser)
            .newContext(
                new Browser.NewContextOptions()
                    // The certificate of the tests is signed by nobody.
                    .setIgnoreHTTPSErrors(true)
                    .setViewportSize(width, height)
                    .setColorScheme(colours));
    context = opened;
    Page page = opened.newPage();
    page.onConsoleMessage(message -> {
      if (!message.text().startsWith("[DOM] ")) {
        complaints.add(message.text());
      }
    });
    page.onPageError(complaints::add);
    page.navigate(server.url() + path);
    return page;
  }

  private Page signedIn(String path) {
    Page page = open("login?to=/" + path, 1240, 1000, ColorScheme.LIGHT);
    page.getByLabel("Token").fill(TOKEN);
    page.keyboard().press("Enter");
    page.waitForURL(server.url() + path);
    return page;
  }

  /** The findings of axe-core, as JSON. */
  private static String violations(Page page) throws IOException {
    page.evaluate(webJar("axe-core", "axe.min.js"));
    return page.evaluate(
            "axe.run().then(found => JSON.stringify(found.violations.map(v =>"
                + " [v.id, v.nodes.slice(0, 3).map(n => n.html)])))")
        .toString()
        .replace("[]", "");
  }

  private static String webJar(String name, String file) throws IOException {
    Properties pom = new Properties();
    try (InputStream in = resource("/META-INF/maven/org.webjars.npm/" + name + "/pom.properties")) {
      pom.load(in);
    }
    String folder = "/META-INF/resources/webjars/" + name + "/" + pom.getProperty("version");
    try (InputStream in = resource(folder + "/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream resource(String path) {
    return Objects.requireNonNull(BrowserTest.class.getResourceAsStream(path), path);
  }
}
