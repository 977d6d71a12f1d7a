package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.journey.JourneySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A browser on each page of a running stack: nothing fails, also not what a page asks for again,
 * and nothing scrolls sideways. Needs Chromium and Node.js of the machine. With {@code
 * -Dabacus.page.screenshots=FOLDER} it leaves a picture of each page.
 */
@Order(1)
class PageWalkIT {

  private static final Path SAMPLE = Path.of("../examples/support-triage");
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path NODE = Path.of("/usr/bin/node");

  /** Longer than a page waits before it asks again. */
  private static final double LOOK_MILLIS = 2500;

  private static final List<String> TABS =
      List.of("", "/plans", "/samples", "/workers", "/cost", "/journeys", "/changes");

  private final List<String> failures = new ArrayList<>();

  @TempDir Path folder;

  @Test
  void eachPageOfARunningStackWorksOnScreenPhoneAndInTheDark() throws Exception {
    assumeTrue(
        Files.isExecutable(CHROMIUM) && Files.isExecutable(NODE), "needs Chromium and Node.js");
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(Files.readString(SAMPLE.resolve("program.yaml")));
    LocalStack.Settings settings =
        LocalStack.Settings.defaults()
            .withRegistry(false)
            .withSimulator(
                SimulatorOptions.DEFAULTS
                    .withAnswers(List.of(SAMPLE.resolve("answers.jsonl")))
                    .withSpeed(40))
            .withPlanes(
                new PlaneSettings(
                    Map.of(JourneySettings.SHARE, "1"),
                    Map.of(OptimizerConfig.PAGE_LISTENER, "127.0.0.1:0")));
    try (LocalStack stack = LocalStack.start(settings, _ -> {})) {
      stack.createTopics(program);
      Run run =
          Run.of(
              "run",
              SAMPLE.resolve("program.yaml").toString(),
              "--documents",
              SAMPLE.resolve("documents.jsonl").toString(),
              "--validation",
              SAMPLE.resolve("validation.jsonl").toString(),
              "--results",
              folder.resolve("results.jsonl").toString(),
              "--bootstrap-server",
              stack.connection().bootstrapServers());
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.out()).contains("SIMULATED models");
      sendUnreadable(stack.connection().bootstrapServers());
      walk(Objects.requireNonNull(stack.pageUrl()), Objects.requireNonNull(stack.pageToken()));
    }
  }

  /** Two documents that become dead letters. */
  private static void sendUnreadable(String bootstrapServers) {
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringSerializer(),
            new StringSerializer())) {
      for (String key : List.of("broken", "broken too")) {
        var _ = producer.send(new ProducerRecord<>("support.messages", key, "no JSON"));
      }
    }
  }

  private void walk(String url, String token) {
    try (Playwright playwright =
            Playwright.create(
                new Playwright.CreateOptions()
                    .setEnv(
                        Map.of(
                            "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                            "1",
                            "PLAYWRIGHT_NODEJS_PATH",
                            NODE.toString())));
        Browser browser =
            playwright
                .chromium()
                .launch(
                    new BrowserType.LaunchOptions()
                        .setExecutablePath(CHROMIUM)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu")))) {
      look(browser, url, token, "screen", 1400, ColorScheme.LIGHT);
      look(browser, url, token, "phone", 390, ColorScheme.DARK);
    }
    assertThat(failures).isEmpty();
  }

  private void look(
      Browser browser, String url, String token, String name, int width, ColorScheme colours) {
    try (BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(colours))) {
      context.onConsoleMessage(message -> {
        if (!message.text().startsWith("[DOM] ")) {
          failures.add(message.page().url() + ": " + message.text());
        }
      });
      context.onResponse(response -> {
        if (response.status() >= 400) {
          failures.add(response.url() + ": " + response.status());
        }
      });
      Page programs = context.newPage();
      programs.navigate(url + "login");
      programs.getByLabel("Token").fill(token);
      programs.keyboard().press("Enter");
      programs.waitForURL(url);
      String program = url + "programs/support-triage";
      Map<String, Page> pages = new LinkedHashMap<>();
      pages.put("-programs", programs);
      for (String tab : TABS) {
        pages.put(
            tab.isEmpty() ? "-overview" : tab.replace('/', '-'), open(context, program + tab));
      }
      Page journey = open(context, program + "/journeys");
      journey.locator("tbody a").first().click();
      pages.put("-journey", journey);
      programs.waitForTimeout(LOOK_MILLIS);
      pages.forEach((page, shown) -> check(shown, name + page));

      Page letter = open(context, program + "/workers");
      letter.locator("#letters ~ * tbody a").first().click();
      letter.getByText(name.equals("screen") ? "Replay this one" : "Replay").first().click();
      letter.getByText("1 document was sent again.").waitFor();
      letter.getByText("✓ replayed").waitFor();
      letter.waitForTimeout(LOOK_MILLIS);
      check(letter, name + "-letter");
    }
  }

  private static Page open(BrowserContext context, String url) {
    Page page = context.newPage();
    page.navigate(url);
    return page;
  }

  private void check(Page page, String name) {
    if (!(Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth")) {
      failures.add(name + " scrolls sideways");
    }
    if (page.locator("#stale").isVisible()) {
      failures.add(name + " says that the optimizer does not answer");
    }
    String pictures = System.getProperty("abacus.page.screenshots");
    if (pictures != null) {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(Path.of(pictures, "walk-" + name + ".png")));
    }
  }
}
