package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a scripted server: what is asked, and what is made of every kind of answer. */
class HttpSchemaRegistryTest {

  private record Answer(int status, String body) {}

  private final Deque<Answer> script = new ArrayDeque<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    requests.add(
        "%s %s %s%s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                body,
                authorization == null ? "" : " " + authorization)
            .strip());
    Answer answer = script.size() > 1 ? script.poll() : script.peek();
    byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void answers(int status, String body) {
    script.add(new Answer(status, body.replace('\'', '"')));
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static HttpSchemaRegistry connect(String url, String... more) {
    Map<String, Object> config = new HashMap<>();
    config.put("schema.registry.url", url);
    config.put("retries.wait.ms", 1);
    for (int i = 0; i < more.length; i += 2) {
      config.put(more[i], more[i + 1]);
    }
    return new HttpSchemaRegistry(new AvroSerdeConfig(config));
  }

  @Test
  void registeringAsksOnceAndRemembers() {
    answers(200, "{'id': 42}");
    try (SchemaRegistry registry = connect(url() + "/api/")) {
      assertThat(registry.register("a b/c", Schemas.GREETING)).isEqualTo(42);
      assertThat(registry.register("a b/c", Schemas.GREETING)).isEqualTo(42);
      assertThat(registry.idOf("a b/c", Schemas.GREETING)).isEqualTo(42);
    }
    assertThat(requests).hasSize(1);
    assertThat(requests.getFirst())
        .startsWith("POST /api/subjects/a%20b%2Fc/versions {\"schema\":\"{\\\"type\\\"");
  }

  @Test
  void referencedSchemasAreParsedFirst() {
    String outer = "{'type':'record','name':'O','fields':[{'name':'i','type':'x.I'}]}";
    String inner = "{'type':'record','name':'x.I','fields':[]}";
    answers(
        200,
        "{'schema': '%s', 'references': [{'name': 'x.I', 'subject': 'in', 'version': 3}]}"
            .formatted(outer.replace("'", "\\'")));
    answers(200, "{'schema': '%s'}".formatted(inner.replace("'", "\\'")));
    try (SchemaRegistry registry = connect(url())) {
      assertThat(registry.schemaById(7).getField("i").schema().getFullName()).isEqualTo("x.I");
    }
    assertThat(requests).containsExactly("GET /schemas/ids/7", "GET /subjects/in/versions/3");
  }

  @Test
  void finalAnswersAreNotTriedAgain() {
    try (SchemaRegistry registry = connect(url())) {
      answers(404, "{'error_code': 40403, 'message': 'Schema not found'}");
      assertThatThrownBy(() -> registry.schemaById(9))
          .isInstanceOf(RegistryException.NotFound.class)
          .hasMessageContaining("/schemas/ids/9")
          .hasMessageContaining("(40403) Schema not found");
      script.clear();
      answers(409, "{'error_code': 409, 'message': 'incompatible'}");
      assertThatThrownBy(() -> registry.register("a", Schemas.GREETING))
          .isInstanceOf(RegistryException.Incompatible.class);
      script.clear();
      answers(401, "");
      assertThatThrownBy(() -> registry.latest("a"))
          .isInstanceOf(RegistryException.Unauthorized.class)
          .hasMessageContaining("credentials");
    }
    assertThat(requests).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          404 | <html>default backend</html>
          404 | {'error_code': 404, 'message': 'HTTP 404 Not Found'}
          404 | {'title': 'No such resource'}
          400 | bad gateway
          200 | <html>Sign in</html>
          200 | ''
          200 | {'status': 'maintenance'}
          """)
  void anAnswerThatIsNotOfARegistrySaysNothingAboutASchema(int status, String body) {
    answers(status, body);
    try (SchemaRegistry registry = connect(url())) {
      assertThatThrownBy(() -> registry.schemaById(9))
          .isInstanceOfSatisfying(
              RegistryException.class, it -> assertThat(it.retriable()).isTrue())
          .hasMessageContaining("is this a schema registry?");
    }
  }

  @Test
  void aRegistryInReadOnlyModeSaysNothingAboutASchema() {
    answers(422, "{'error_code': 42205, 'message': 'Subject a is in read-only mode'}");
    try (SchemaRegistry registry = connect(url())) {
      assertThatThrownBy(() -> registry.register("a", Schemas.GREETING))
          .isInstanceOfSatisfying(
              RegistryException.class, it -> assertThat(it.retriable()).isTrue())
          .hasMessageContaining("Subject a is in read-only mode");
    }
  }

  @Test
  void aBrokenOrOverloadedRegistryIsTriedAgain() {
    answers(503, "");
    answers(429, "");
    answers(200, "{'compatibilityLevel': 'FULL'}");
    try (SchemaRegistry registry = connect(url())) {
      assertThat(registry.compatibility("a")).isEqualTo(Compatibility.FULL);
    }
    assertThat(requests).hasSize(3);
  }

  @Test
  void anotherAddressIsAskedWhenOneDoesNotAnswerAndThenPreferred() throws IOException {
    answers(200, "[]");
    try (SchemaRegistry registry = connect("http://127.0.0.1:" + closedPort() + "," + url())) {
      registry.setCompatibility(Compatibility.FULL);
      registry.setCompatibility(Compatibility.FULL);
    }
    assertThat(requests).hasSize(2);
  }

  @Test
  void noAnswerAtAllMayBeRetried() throws IOException {
    String dead = "http://127.0.0.1:" + closedPort();
    try (SchemaRegistry registry = connect(dead, "max.retries", "1")) {
      assertThatThrownBy(() -> registry.latest("a"))
          .isInstanceOfSatisfying(
              RegistryException.Unavailable.class, it -> assertThat(it.retriable()).isTrue())
          .hasMessageContaining(dead)
          .hasMessageContaining("2 time(s)");
    }
  }

  @Test
  void credentialsAreSentAsBasicAuthentication() {
    answers(200, "[]");
    try (SchemaRegistry registry =
        connect(
            url(),
            "basic.auth.credentials.source",
            "USER_INFO",
            "basic.auth.user.info",
            "ann:secret")) {
      registry.setCompatibility(Compatibility.FULL);
    }
    assertThat(requests)
        .containsExactly("PUT /config {\"compatibility\":\"FULL\"} Basic YW5uOnNlY3JldA==");
  }

  @Test
  void aSubjectWithoutVersionsAcceptsAnySchema() {
    answers(404, "{'error_code': 40401, 'message': 'Subject not found'}");
    try (SchemaRegistry registry = connect(url())) {
      assertThat(registry.violation("a", Schemas.GREETING)).isEmpty();
      script.clear();
      answers(200, "{'is_compatible': false, 'messages': ['no default', 'another type']}");
      assertThat(registry.violation("a", Schemas.GREETING)).contains("no default; another type");
    }
    assertThat(requests.getLast())
        .startsWith("POST /compatibility/subjects/a/versions?verbose=true");
  }

  @Test
  void theRuleOfASubjectIsItsOwnOrTheOneOfAll() {
    answers(200, "{'compatibilityLevel': 'FULL_TRANSITIVE'}");
    answers(404, "{'error_code': 40408, 'message': 'no rule'}");
    answers(200, "{'compatibilityLevel': 'BACKWARD'}");
    try (SchemaRegistry registry = connect(url())) {
      assertThat(registry.compatibility("a")).isEqualTo(Compatibility.FULL_TRANSITIVE);
      assertThat(registry.compatibility("b")).isEqualTo(Compatibility.BACKWARD);
    }
    assertThat(requests)
        .containsExactly(
            "GET /config/a?defaultToGlobal=true",
            "GET /config/b?defaultToGlobal=true",
            "GET /config");
  }

  @Test
  void theRuleOfAllSubjectsIsSet() {
    answers(200, "{}");
    try (SchemaRegistry registry = connect(url())) {
      registry.setCompatibility(Compatibility.BACKWARD);
    }
    assertThat(requests).containsExactly("PUT /config {\"compatibility\":\"BACKWARD\"}");
  }

  @Test
  void aTruststoreMakesAPrivateCertificateTrusted(@TempDir Path folder) throws Exception {
    Path store = selfSigned(folder);
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (DefaultSslEngineFactory tls = new DefaultSslEngineFactory()) {
      tls.configure(
          new AvroSerdeConfig(
                  Map.of(
                      "schema.registry.ssl.keystore.type", "PKCS12",
                      "schema.registry.ssl.keystore.location", store.toString(),
                      "schema.registry.ssl.keystore.password", "secret"))
              .tls());
      https.setHttpsConfigurator(new HttpsConfigurator(tls.sslContext()));
    }
    https.createContext("/", this::answer);
    https.start();
    answers(200, "[]");
    String url = "https://localhost:" + https.getAddress().getPort();
    try (SchemaRegistry stranger = connect(url, "max.retries", "0");
        SchemaRegistry friend =
            connect(
                url,
                "schema.registry.ssl.truststore.type",
                "PKCS12",
                "schema.registry.ssl.truststore.location",
                store.toString(),
                "schema.registry.ssl.truststore.password",
                "secret")) {
      friend.setCompatibility(Compatibility.FULL);
      assertThatThrownBy(() -> stranger.latest("a"))
          .isInstanceOf(RegistryException.Unavailable.class)
          .hasMessageContaining("SSLHandshakeException");
    } finally {
      https.stop(0);
    }
  }

  private static Path selfSigned(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "registry",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret")
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    return store;
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  @Timeout(20)
  void anAnswerThatStopsInItsMiddleIsNotWaitedForWithoutEnd() {
    CountDownLatch asked = new CountDownLatch(1);
    server.createContext(
        "/slow",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          asked.countDown();
        });
    try (SchemaRegistry registry =
        connect(url() + "/slow", "http.read.timeout.ms", "300", "max.retries", "0")) {
      assertThatThrownBy(() -> registry.schemaById(1))
          .isInstanceOf(RegistryException.Unavailable.class)
          .hasMessageContaining("no whole answer within 300 ms");
    }
    assertThat(asked.getCount()).isZero();
  }
}
