package dev.abacus.optimizer.page.http;

import dev.abacus.schemas.document.Sha256;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The templates of the page, and the files that a browser loads beside them. */
final class PageFiles {

  private static final String TEMPLATES = "dev.abacus.optimizer.page.template";
  private static final String OWN = "/dev/abacus/optimizer/page/http/";

  private final TemplateEngine templates =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, PageFiles.class.getClassLoader(), TEMPLATES);

  private final Map<String, Asset> assets =
      Map.of(
          "page.css", new Asset("text/css", resource(OWN + "page.css")),
          "page.js", new Asset("text/javascript", resource(OWN + "page.js")),
          "icon.svg", new Asset("image/svg+xml", resource(OWN + "icon.svg")),
          "htmx.js", new Asset("text/javascript", webJar("htmx.org", "dist/htmx.min.js")));

  /** A file with its media type. */
  @SuppressWarnings("ArrayRecordComponent") // written to the response, never compared
  record Asset(String type, byte[] content) {}

  /** The file with this name; null if there is none. */
  @Nullable Asset asset(String name) {
    return assets.get(name);
  }

  /** Renders a template; values are escaped. */
  String render(String template, Map<String, Object> parameters) {
    StringOutput output = new StringOutput();
    templates.render(template, parameters, output);
    return output.toString();
  }

  /** A short hash of a rendered part, equal for equal content. */
  static String version(String content) {
    return Sha256.hex(8, content.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] webJar(String name, String file) {
    Properties properties = new Properties();
    String pom = "/META-INF/maven/org.webjars.npm/" + name + "/pom.properties";
    try (InputStream in = open(pom)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return resource(
        "/META-INF/resources/webjars/%s/%s/%s"
            .formatted(name, properties.getProperty("version"), file));
  }

  private static byte[] resource(String name) {
    try (InputStream in = open(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String name) {
    InputStream in = PageFiles.class.getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException("missing resource " + name);
    }
    return in;
  }
}
