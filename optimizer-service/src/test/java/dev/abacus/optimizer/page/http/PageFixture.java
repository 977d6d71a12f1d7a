package dev.abacus.optimizer.page.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.page.records.ClusterFixture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page of a running cluster, and a browser that visits it. */
final class PageFixture implements AutoCloseable {

  final ClusterFixture cluster = ClusterFixture.running();

  final AccessFixture access = new AccessFixture(cluster);
  final HttpClient browser = HttpClient.newHttpClient();
  private final PageServer server;

  PageFixture(PageAccess visitors) {
    this.server =
        PageServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            access,
            visitors,
            cluster::now);
  }

  private URI uri(String path) {
    return URI.create(server.url()).resolve(path);
  }

  int port() {
    return URI.create(server.url()).getPort();
  }

  String origin() {
    return "http://127.0.0.1:" + port();
  }

  HttpResponse<String> get(String path) throws Exception {
    return browser.send(
        HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String cookie) throws Exception {
    return browser.send(
        HttpRequest.newBuilder(uri(path)).header("Cookie", cookie).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a form as this page does. */
  HttpResponse<String> post(String path, String form, @Nullable String cookie) throws Exception {
    return post(path, form, cookie, origin(), "same-origin");
  }

  /** Sends a form as a page of any origin does. */
  HttpResponse<String> post(
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
    return browser.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The cookie of the session that a token opens. */
  String signIn(String token) throws Exception {
    return post("/login", "token=" + token, null)
        .headers()
        .firstValue("Set-Cookie")
        .orElseThrow()
        .replaceAll(";.*", "");
  }

  /** The token that the forms of a session have. */
  String csrf(String cookie) throws Exception {
    String body = get("/programs/support-triage", cookie).body();
    Matcher field = Pattern.compile("name=\"csrf\" value=\"([0-9a-f]+)\"").matcher(body);
    assertThat(field.find()).isTrue();
    return field.group(1);
  }

  @Override
  public void close() {
    server.close();
    browser.close();
  }
}
