package io.spillway.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.policies.source.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyDirectoryTest {
  @TempDir Path folder;

  @Test
  void policy_files_at_any_depth_are_read_in_the_order_of_their_names() throws IOException {
    write("z.yaml", "z");
    write("teams/a.yml", "a");
    write("b.json", "{}");
    write("README.md", "no");

    assertThat(new PolicyDirectory(folder).read())
        .containsExactly(
            new SourceFile("b.json", "{}"),
            new SourceFile("teams/a.yml", "a"),
            new SourceFile("z.yaml", "z"));
  }

  @Test
  void hidden_files_and_the_older_mounts_of_a_config_map_are_left_out() throws IOException {
    write(".a.yaml.swp.yaml", "half");
    write("..2026_11_30/a.yaml", "mounted");
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_11_30"));
    Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));

    assertThat(new PolicyDirectory(folder).read())
        .containsExactly(new SourceFile("a.yaml", "mounted"));
  }

  @Test
  void what_cannot_be_read_is_named() throws IOException {
    Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});

    assertThatThrownBy(() -> new PolicyDirectory(folder).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("latin.yaml is not UTF-8");
    assertThatThrownBy(() -> new PolicyDirectory(folder.resolve("nowhere")).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void far_too_much_is_refused_unread() throws IOException {
    Files.write(folder.resolve("big.yaml"), new byte[(4 << 20) + 1]);

    assertThatThrownBy(() -> new PolicyDirectory(folder).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("4 MiB");
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
